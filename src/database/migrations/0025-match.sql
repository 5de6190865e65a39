-- Whom somebody with a name, a date of birth, an e-mail address or a personal number may be, out of many.

-- A personal number as it is compared: the SHA-256 of its letters and digits, in capitals, so that who asks may send
-- that alone.
create function pin_hash(pin text) returns text language sql immutable strict parallel safe
return encode(sha256(convert_to(upper(regexp_replace(pin, '[^A-Za-z0-9]+', '', 'g') collate "C"), 'UTF8')), 'hex');

create index customers_by_pin on customers (center_id, pin_hash(pin)) where pin is not null;
create index customers_by_dob on customers (center_id, dob) where dob is not null;

-- Whoever may be meant by a name with typing errors: two of its words, or its only one, are nearly there. A word with
-- one error has its first or its second half right, so it is looked for by the beginning and by the end. Six words
-- at most are looked at.
create function name_near(center_id text, name text) returns tsquery language sql immutable strict parallel safe
return (
  with words as (
    select word, position, greatest(1, (length(word) - 1) / 2) as half, count(*) over () as of_all
    from string_to_table(name_sounds(replace(left(name_letters(left(name, 200)), 400), 'ph', 'f')), ' ')
      with ordinality as w (word, position)
    where word <> '' and position <= 6
  ), near as (
    select position, of_all, format('(%L:* | %L:*)',
      center_id || '/' || left(word, case when of_all = 1 then greatest(half, 3) else half end),
      center_id || '<' || left(reverse(word), case when of_all = 1 then greatest(half, 3) else half end)) as query
    from words
  )
  select coalesce(string_agg(query, ' | '), '')::tsquery
  from (
    select query from near where of_all = 1
    union all
    select a.query || ' & ' || b.query from near a join near b on a.position < b.position
  ) either
);
