-- Names and phone numbers as people write them. The apostrophe of a name is any of its characters: ʼ, which Unicode recommends for
-- Ukrainian, ʻ of Hawaii and of romanizations, and those that keyboards have. A phone number may have digits of any script, and a
-- slash, also with spaces, after its area code; a field may have several numbers, of which each is found.
-- Indexes are made again only if a stored value reads differently now. That locks the table for as long as it takes; most databases
-- have such phone numbers in few rows or none, and a partial repair of an index does not exist.
-- phase: expand
-- locks: none
-- reads_from: 0061

-- As before, and the apostrophes beyond ASCII separate, too.
create or replace function name_letters(name text) returns text
language plpgsql immutable parallel safe strict as $$
declare
  letters text := name;
begin
  if octet_length(letters) <> length(letters) then
    letters := regexp_replace(normalize(letters, NFKD), '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff]+', '', 'g');
  end if;
  -- The usual letters of Greek and of Cyrillic first: looking for each of them among the 330 below takes longer than all the
  -- rest. Arabic letters are not among these.
  if octet_length(letters) <> length(letters) and letters ~ '[\u0391-\u03c9]' then
    letters := replace(replace(replace(translate(
      letters,
      'αοιεσςνρτκλπμυηγδωβφξζΑΟΙΕΣΝΡΤΚΛΠΜΥΗΓΔΩΒΦΞΖΘΧΨ',
      'aoiessnrtklpmyigdovfxzaoiesnrtklpmyigdovfxzθχψ'),
      'θ', 'th'), 'χ', 'ch'), 'ψ', 'ps');
  end if;
  if octet_length(letters) <> length(letters) and letters ~ '[\u0400-\u0491]' then
    letters := replace(replace(replace(replace(replace(replace(replace(
      replace(replace(replace(replace(replace(replace(replace(translate(
      letters,
      'аоеинрвлкстдмпгубзыфјћАОЕэЭИіІНРВЛКСТДМПГґҐУБЗЫФЈЋЧХЖШЦЮЯЩЄЂЅЉЊЏъьЪЬ',
      'aoeinrvlkstdmpgubzyfjcaoeeeiiinrvlkstdmpgggubzyfjcчхжшцюящєђѕљњџ'), 'ч', 'ch'), 'х', 'kh'), 'ж', 'zh'), 'ш', 'sh'), 'ц', 'ts'), 'ю', 'yu'), 'я', 'ya')
      , 'щ', 'shch'), 'є', 'ie'), 'ђ', 'dj'), 'ѕ', 'dz'), 'љ', 'lj'), 'њ', 'nj'), 'џ', 'dzh');
  end if;
  if octet_length(letters) <> length(letters) and letters ~ '[^\u0001-\u007f\u0600-\u06ff]' then
    letters :=
      replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
      replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
      replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
      replace(replace(replace(translate(
        letters,
        'ʒ'
        'ÐðĐđƉƊƋƌȡΔδДдẟØøƆƟΟΩοωОоѠѡѪѫѺѻѼѽӨөĦħͰͱϨϩҲҳҺһӀӏӾӿıƖƗΗΙηιІИиіĸǃɊɋϘϙϞϟҀҁҚқҞҟҠҡӃӄŁłƚƛȴȽΛλЛлŦŧƫ'
        'ƬƭƮȶȾΤτТтƀƁƂƃɃБбƇƈǀȻȼϬϭЋћҸҹƍƵƶȤȥɀΖζЗзҘҙƎƏƐǝɆɇΕεЕЭеэѢѣѦѧƑƒΦφϤϥФфѲѳƓƔǤǥΓγГгҐґҜҝƘƙΚκКкƜƿǷͶͷϜϝ'
        'ҨҩƝƞȠȵΝνНнƤƥΠπПпƦɌɍΡρϼРрƱɄУуѸѹҮүҰұƲΒβВвỼỽƳƴȜȝɎɏΥυЫыѴѵỾỿǁΞξϦϧӼӽȷɈɉͿϪϫϳЈјҖҗҶҷȺɅΑαАаӘәȿͲͳͻͼͽΣ'
        'ςσϠϡϺϻϽϾϿСсҪҫẜẝΜμМмÆӔӕÞΘθҬҭẞŊҢңҤҥӇӈŒǶƢҒғҔҕӶӷƩϢϣϷϸШшƷЖжЅѕӠӡЦцҴҵȢΧЧчҼҽҾҿΨѰѱϚϮЂЄѤѥѨѩЉЊЏӋӌХЩЮЯ'
        'ѬѮѾҊҎҦӅӉӍӺỺƄƅƧƨƸƹƼƽɁɂϏϗЪЬъьҌҍ',
        'ƺ'
        'ddddddddddddddoooooooooooooooooooohhhhhhhhhhhhhhiiiiiiiiiiiqqqqqqqqqqqqqqqqqqllllllllllttt'
        'tttttttttbbbbbbbccccccccccczzzzzzzzzzzzeeeeeeeeeeeeeeeeffffffffffggggggggggggkkkkkkwwwwwww'
        'wwnnnnnnnnpppppprrrrrrrruuuuuuuuuuvvvvvvvyyyyyyyyyyyyyyxxxxxxxjjjjjjjjjjjjjaaaaaaaasssssss'
        'sssssssssssssssmmmmæææþþþþþßŋŋŋŋŋŋŋœƕƣƣƣƣƣƣƣƪƪƪƪƪƪƪƺƺƺƻƻƻƻƾƾƾƾȣχχχχχχχψψψϛϯђєєєєєљњџџџхщюя'
        'ѭѯѿҋҏҧӆӊӎӻỻ'), 'æ', 'ae'), 'þ', 'th'), 'ß', 'ss'), 'ŋ', 'ng'), 'œ', 'oe'), 'ƕ', 'hw'), 'ƣ', 'gh'), 'ƪ', 'sh')
        , 'ƺ', 'zh'), 'ƻ', 'dz'), 'ƾ', 'ts'), 'ǂ', 'qc'), 'ȣ', 'ou'), 'ȸ', 'db'), 'ȹ', 'qp'), 'χ', 'ch')
        , 'ψ', 'ps'), 'ϛ', 'st'), 'ϯ', 'ti'), 'ђ', 'dj'), 'є', 'ie'), 'љ', 'lj'), 'њ', 'nj'), 'џ', 'dzh')
        , 'х', 'kh'), 'щ', 'shch'), 'ю', 'yu'), 'я', 'ya'), 'ѭ', 'io'), 'ѯ', 'ks'), 'ѿ', 'ot'), 'ҋ', 'jh')
        , 'ҏ', 'rh'), 'ҧ', 'ph'), 'ӆ', 'lh'), 'ӊ', 'nh'), 'ӎ', 'mh'), 'ӻ', 'xh'), 'ỻ', 'll');
  end if;
  return trim(regexp_replace(lower(letters collate "C"),
  '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u02b9-\u02cb\u02ee\u055a\u05f3\u05f4\u2000-\u206f\u3000-\u3020\ua78b\ua78c]+', ' ', 'g'));
end $$;

-- As before, with these apostrophes.
create or replace function name_folded(name text) returns text
language sql immutable parallel safe strict
return lower(regexp_replace(normalize(left(name, 100), NFKD),
  '[\u0300-\u036f\s''`\u02b9-\u02cb\u02ee\u2018-\u201b\ua78b\ua78c.-]+', '', 'g') collate "C");

-- The text with the digits of all scripts as 0 to 9.
create function plain_digits(written text) returns text
language plpgsql immutable parallel safe strict as $$
begin
  if octet_length(written) = length(written) then return written; end if;
  return translate(normalize(written, NFKC),
      '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹߀߁߂߃߄߅߆߇߈߉०१२३४५६७८९০১২৩৪৫৬৭৮৯੦੧੨੩੪੫੬੭੮੯૦૧૨૩૪૫૬૭૮૯୦୧୨୩୪୫୬୭୮୯'
      '௦௧௨௩௪௫௬௭௮௯౦౧౨౩౪౫౬౭౮౯೦೧೨೩೪೫೬೭೮೯൦൧൨൩൪൫൬൭൮൯෦෧෨෩෪෫෬෭෮෯๐๑๒๓๔๕๖๗๘๙໐໑໒໓໔໕໖໗໘໙༠༡༢༣༤༥༦༧༨༩'
      '၀၁၂၃၄၅၆၇၈၉႐႑႒႓႔႕႖႗႘႙០១២៣៤៥៦៧៨៩᠐᠑᠒᠓᠔᠕᠖᠗᠘᠙᥆᥇᥈᥉᥊᥋᥌᥍᥎᥏᧐᧑᧒᧓᧔᧕᧖᧗᧘᧙᪀᪁᪂᪃᪄᪅᪆᪇᪈᪉᪐᪑᪒᪓᪔᪕᪖᪗᪘᪙'
      '᭐᭑᭒᭓᭔᭕᭖᭗᭘᭙᮰᮱᮲᮳᮴᮵᮶᮷᮸᮹᱀᱁᱂᱃᱄᱅᱆᱇᱈᱉᱐᱑᱒᱓᱔᱕᱖᱗᱘᱙꘠꘡꘢꘣꘤꘥꘦꘧꘨꘩꣐꣑꣒꣓꣔꣕꣖꣗꣘꣙꤀꤁꤂꤃꤄꤅꤆꤇꤈꤉꧐꧑꧒꧓꧔꧕꧖꧗꧘꧙'
      '꧰꧱꧲꧳꧴꧵꧶꧷꧸꧹꩐꩑꩒꩓꩔꩕꩖꩗꩘꩙꯰꯱꯲꯳꯴꯵꯶꯷꯸꯹',
    repeat('0123456789', 35));
end $$;

-- Whether digits are at most an area code, so that the number follows: 0711, +49 711.
create function is_area_code(digits text) returns boolean
language sql immutable parallel safe strict
return digits ~ '^(?:(?:\+|00)[0-9]{0,8}|0(?:[1-9][0-9]{0,5})?|[1-9][0-9]{0,4})$';

-- The digits of each number of a text, in order, with + before the code of a country and without other zeros at the beginning.
-- What separates numbers is a letter, a comma and the like, a plus, or a slash after a whole number. A short rest after a slash
-- with spaces is another extension.
create function phone_keys(phone text) returns text[]
language plpgsql immutable parallel safe strict as $$
declare
  numbers text[] := '{}';
  number text;
  digits text;
  part text;
  segment text;
begin
  foreach segment in array regexp_split_to_array(
    replace(replace(left(plain_digits(phone), 200), '(0)', ''), '+', ';+'),
    '[A-Za-z#;,|\n\r\u00c0-\u024f\u0370-\u1fff\u2c00-\ud7ff\uf900-\ufaff]+')
  loop
    number := '';
    foreach part in array string_to_array(segment, '/') loop
      digits := regexp_replace(part, '[^0-9+]+', '', 'g');
      if number = '' or is_area_code(number) then
        number := number || digits;
      elsif length(digits) >= 6 or part ~ '^\s' then
        numbers := numbers || number;
        number := case when length(digits) >= 6 then digits else '' end;
      else
        number := number || digits;
      end if;
    end loop;
    numbers := numbers || number;
  end loop;
  return array(
    select k.key
    from unnest(numbers) with ordinality as n (number, at)
    cross join lateral (
      select regexp_replace(regexp_replace(replace(n.number, '+', '00'), '^00+', '+'), '^(0+|8(?=[0-9]{10}$))', '') as key
    ) k
    where k.key ~ '^\+?[0-9]{7,}$'
    order by n.at
  );
end $$;

-- The first of them; null if there is none.
create or replace function phone_key(phone text) returns text
language sql immutable parallel safe strict
return (phone_keys(phone))[1];

-- The digits of the numbers of a field without what stands before the code of a country, separated by a space; if none is
-- whole, all digits.
create or replace function phone_digits(phone text) returns text
language sql immutable parallel safe strict
return coalesce(
  nullif(replace(array_to_string(phone_keys(phone), ' '), '+', ''), ''),
  ltrim(regexp_replace(plain_digits(phone), '[^0-9]+', '', 'g'), '0'));

-- As before, for each of the numbers.
create or replace function contact_index(center_id text, email text, phone text, secondary_phone text) returns tsvector
language plpgsql immutable parallel safe cost 500 as $$
declare
  entries text[] := search_rests(center_id || '@', split_part(coalesce(email, ''), '@', 1));
  digits text;
begin
  foreach digits in array string_to_array(concat_ws(' ', phone_digits(phone), phone_digits(secondary_phone)), ' ') loop
    for at in 1..length(left(digits, 20)) - 3 loop
      entries := entries || (center_id || '#' || substr(left(digits, 20), at));
    end loop;
  end loop;
  return array_to_tsvector(entries);
end $$;

do $$ begin
  execute format('alter function phone_keys(text) set search_path to %I', current_schema());
  execute format('alter function contact_index(text, text, text, text) set search_path to %I', current_schema());
end $$;

do $$
declare
  marks constant text := '[\u02b9-\u02cb\u02ee\u055a\u05f3\u05f4\ua78b\ua78c]';
begin
  if exists (select from customers where concat(first_name, last_name) ~ marks) then
    reindex index customers_by_name;
    reindex index customers_by_dob;
  end if;
  if exists (
    select from customers
    where concat(phone, ' ', secondary_phone) ~ '[^\u0001-\u007f]|[/|]|[0-9].*\+|[A-Za-z#;,\n\r].*[0-9]' or email ~ marks
  ) then
    reindex index customers_by_phone;
    reindex index customers_by_secondary_phone;
    reindex index customers_by_contact;
  end if;
  if exists (select from bookings where concat(accommodation ->> 'roomId', acc_segments::text, booking_id) ~ marks) then
    reindex index bookings_by_room;
    reindex index bookings_by_segment;
    reindex index bookings_by_number_part;
  end if;
  if exists (select from orders where number ~ marks) then
    reindex index orders_by_number_part;
  end if;
end $$;
