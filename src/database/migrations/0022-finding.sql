-- What guests and orders are found by. Each index begins with the center, and every list has a range or a session beside
-- it, so the planner goes by whichever of the two is rarer.

-- A phone number as it is compared: its digits, with a plus before them where it begins with a country's code. What
-- follows the first number of several, and an extension, are left out; so are the zero before an area's code and the 8
-- that Russian numbers have in its place. Null where there are fewer digits than any number has.
create function phone_key(phone text) returns text language sql immutable strict parallel safe
return substring(
  regexp_replace(
    regexp_replace(
      regexp_replace(
        regexp_replace(
          regexp_replace(regexp_replace(replace(phone, '(0)', ''), '^[^0-9+]+', ''), '([A-Za-z#;,]| / ).*$', ''),
          '^\+', '00'),
        '[^0-9]+', '', 'g'),
      '^00+', '+'),
    '^(0+|8(?=[0-9]{10}$))', ''),
  '^\+?[0-9]{7,}$');

-- Two of them: where both name their country, they are equal; else the one ends with the other.
create function is_same_phone(a text, b text) returns boolean language sql immutable strict parallel safe
return case
    when starts_with(a, '+') and starts_with(b, '+') then a = b
    when length(a) > length(b) then right(a, length(b)) = ltrim(b, '+')
    else right(b, length(a)) = ltrim(a, '+')
  end;

create index customers_by_email on customers (center_id, lower(email collate "C")) where email is not null;
create index customers_by_phone on customers (center_id, right(phone_key(phone), 7)) where phone is not null;
create index customers_by_secondary_phone on customers (center_id, right(phone_key(secondary_phone), 7))
  where secondary_phone is not null;
create index customers_by_internal_id on customers (center_id, internal_id) where internal_id is not null;

create index orders_by_number on orders (center_id, number) where number is not null;
create index orders_by_status on orders (center_id, status, order_date, uuid);
create index orders_by_payment_status on orders (center_id, payment_status, order_date, uuid);
