-- Names are found by their romanizations: by the standard tables for Greek and Cyrillic, and for Arabic, which writes few
-- vowels, by the consonants. What is stored in Latin letters is not changed by any table, so Latin names are told apart
-- as before.
--
-- An index is built and analyzed with an empty search path: bodies of PL/pgSQL call only PostgreSQL's own functions.

drop index customers_by_name;
drop function name_keys(text, text, text);
drop function name_near(text, text);
drop function name_query(text, text);
drop function name_prefixes(text, text);
drop function name_lexemes(text, text);
drop function name_forms(text);
drop function name_words(text, text);

-- The other ways to write a name in Latin letters, next to `name_letters`; none for ASCII. Each has the words of the
-- name in the same order. Letters that all tables write alike are written as by `name_letters`; spellings that `name_sounds`
-- makes equal, such as yu and iu, or kh and ch, are written once.
create function name_ways(name text) returns text[] language plpgsql immutable strict parallel safe as $$
declare
  plain text;
  marked text;
  way text;
  written text;
  ways text[] := '{}';
begin
  if octet_length(name) = length(name) then return ways; end if;
  plain := replace(normalize(name, NFKC), '|', ' ');

  -- Croatian and Serbian: dj where đ cannot be typed
  if plain ~ '[đĐ]' then ways := ways || replace(replace(plain, 'đ', 'dj'), 'Đ', 'dj'); end if;

  if plain ~ '[\u0370-\u03ff\u1f00-\u1fff]' then
    marked := translate(normalize(plain, NFKD), 'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩς', 'αβγδεζηθικλμνξοπρστυφχψωσ');
    -- Two vowels, not a digraph: an accent on the first one, or a diaeresis.
    marked := regexp_replace(marked, '([αεηο])[\u0300\u0301\u0342]υ', '\1y', 'g');
    marked := regexp_replace(marked, 'υ[\u0300\u0301\u0342]?\u0308', 'y', 'g');
    plain := replace(regexp_replace(marked, '[\u0300-\u036f]+', '', 'g'), 'ου', 'ou');
    plain := replace(replace(replace(plain, 'γγ', 'nγ'), 'γξ', 'nξ'), 'γχ', 'nχ');
    plain := regexp_replace(plain, '(?<![α-ωa-z])μπ|μπ(?![α-ωa-z])', 'b', 'g');
    -- ELOT 743 (ISO 843, UN, BGN/PCGN since 1996)
    way := regexp_replace(plain, '([αεη])υ(?![αβγδεζηιλμνορυωa-z])', '\1f', 'g');
    way := regexp_replace(way, '([αεη])υ', '\1v', 'g');
    ways := ways || way;
    -- BGN/PCGN before 1996, by the sound of γκ, μπ and ντ
    way := replace(regexp_replace(way, '(?<![α-ωa-z])γκ', 'g', 'g'), 'γκ', 'nk');
    way := replace(regexp_replace(way, '(?<![α-ωa-z])ντ', 'd', 'g'), 'ντ', 'nd');
    ways := ways || replace(way, 'μπ', 'mb');
    -- ALA-LC, and with i for η
    way := regexp_replace(plain, '([αεη])υ', '\1u', 'g');
    ways := ways || way || translate(way, 'η', 'e');
    -- χ is h, too
    written := array_to_string(ways, '|');
    if plain like '%χ%' then written := written || '|' || replace(written, 'χ', 'h'); end if;
    -- As `name_letters` writes them, which takes longer for text of other letters.
    ways := string_to_array(replace(replace(replace(
      translate(written, 'αβγδεζηικλμνξορστυφω', 'avgdeziiklmnxorstyfo'), 'θ', 'th'), 'χ', 'ch'), 'ψ', 'ps'), '|');
  end if;

  if plain ~ '[\u0400-\u04ff]' then
    plain := translate(plain,
      'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯІЇЄҐЎЂЃЌЈЉЊЋЏЅ', 'абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґўђѓќјљњћџѕ');
    -- BGN/PCGN for Russian; ё by it, and as it is spoken
    way := regexp_replace(plain, '(?<![бвгджзклмнпрстфхцчшщ])[её]', 'ye', 'g');
    ways := ways || way;
    if plain like '%ё%' then
      ways := ways || replace(regexp_replace(
        regexp_replace(plain, '(?<![бвгджзклмнпрстфхцчшщ])е', 'ye', 'g'), '(?<=[жчшщ])ё', 'o', 'g'), 'ё', 'yo');
    end if;
    -- BGN/PCGN for Ukrainian
    ways := ways || translate(plain, 'гґ', 'hg');
    -- BGN/PCGN for Bulgarian, of 2013 and of 1952
    way := replace(replace(plain, 'щ', 'sht'), 'ьо', 'yo');
    ways := ways || translate(way, 'ъх', 'ah') || replace(way, 'ъ', 'u');
    -- BGN/PCGN for Serbian and Macedonian; ђ is dj and đ
    way := translate(replace(replace(plain, 'ѓ', 'gj'), 'ќ', 'kj'), 'хц', 'hc');
    ways := ways || way || replace(way, 'ђ', 'd');
    written := array_to_string(array(select distinct one from unnest(ways) as one where one <> plain), '|');
    ways := string_to_array(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
      replace(replace(translate(
        written, 'абвгдеёзийклмнопрстуфыэіїґўјћъь', 'abvgdeeziiklmnoprstufyeiigujc'), 'ж', 'zh'), 'х', 'kh'), 'ц', 'ts'),
        'ч', 'ch'), 'ш', 'sh'), 'щ', 'shch'), 'ю', 'yu'), 'я', 'ya'), 'є', 'ie'), 'ђ', 'dj'), 'љ', 'lj'), 'њ', 'nj'),
        'џ', 'dzh'), '|');
  end if;

  -- Hamza, vowel signs and a few letters are written or not.
  if plain ~ '[\u0620-\u06ff]' then
    ways := ways || translate(
      regexp_replace(normalize(plain, NFKD), '[\u0640\u064b-\u065f\u0670\u06d6-\u06ed]+', '', 'g'), 'ىیکةٱ', 'ييكها');
  end if;
  return ways;
end $$;

-- The words of all ways, and the words of each way written as one.
create function name_ways_joined(ways text[]) returns text language plpgsql immutable strict parallel safe as $$
declare
  way text;
  written text := '';
begin
  foreach way in array ways loop
    written := written || ' ' || way;
    if way ~ '[\u0001-\u002f]' then
      written := written || ' ' || regexp_replace(
        way, '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u3020]+', '', 'g');
    end if;
  end loop;
  return left(written, 2000);
end $$;

-- What somebody is found by: each word of the names, and several written as one; a ph is an f too, but what was typed up
-- to its p begins with the p. Behind | are the consonants of each word, in capital letters, which `name_sounds` does not
-- change: ^ of a name in Latin letters, ~ of one in Arabic letters. The two are only compared with each other.
--
-- Consonants that are written in one way in Arabic names, or in several, are one: p is b, q and c are k, g, gh and dj
-- are j, ch is sh. A vowel at the beginning is A, however it is written; others, y and w within a word are left out.
create function name_parts(first_letters text, last_letters text, other_letters text) returns text
language plpgsql immutable strict parallel safe as $$
declare
  words text := first_letters || ' ' || last_letters;
  consonants text;
  arabic text;
  parts text;
begin
  if first_letters like '% %' then words := words || ' ' || replace(first_letters, ' ', ''); end if;
  if last_letters like '% %' then words := words || ' ' || replace(last_letters, ' ', ''); end if;
  if words like '%  %' then words := regexp_replace(words, ' +', ' ', 'g'); end if;
  words := btrim(words);
  parts := btrim(words || ' ' || other_letters);
  parts := (case when parts like '%ph%' then parts || ' ' || replace(parts, 'ph', 'f') else parts end) || '|';

  consonants := ' ' || (case when octet_length(words) = length(words) then words
    else regexp_replace(words, '[^ ]*[^ -~][^ ]*', '', 'g') end) || ' ';
  if consonants like '%h%' then
    if consonants ~ '[td]h' then
      consonants := replace(replace(consonants, 'th', 'T'), 'dh', 'D')
        || replace(replace(consonants, 'th', 'S'), 'dh', 'Z');
    end if;
    consonants := replace(replace(replace(replace(replace(replace(
      consonants, 'kh', 'X'), 'sh', 'C'), 'ch', 'C'), 'gh', 'J'), 'zh', 'J'), 'ph', 'F');
    -- Khadija and Khadijah
    if consonants like '%h %' then consonants := consonants || replace(consonants, 'h ', ' '); end if;
  end if;
  consonants := translate(replace(replace(replace(consonants, 'dj', 'J'), 'ck', 'K'), 'x', 'KS'),
    'bpcqkgjvfszdtrlmnh', 'BBKKKJJwFSZDTRLMNH');
  consonants := replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    consonants, 'BB', 'B'), 'KK', 'K'), 'JJ', 'J'), 'FF', 'F'), 'SS', 'S'), 'ZZ', 'Z'), 'DD', 'D'), 'TT', 'T'),
    'RR', 'R'), 'LL', 'L'), 'MM', 'M'), 'NN', 'N');
  consonants := replace(replace(replace(replace(replace(replace(replace(
    consonants, ' a', ' A'), ' e', ' A'), ' i', ' A'), ' o', ' A'), ' u', ' A'), ' y', ' Y'), ' w', ' W');
  consonants := btrim(translate(consonants, 'aeiouyw0123456789', ''));
  if consonants like '%  %' then consonants := regexp_replace(consonants, ' +', ' ', 'g'); end if;
  if consonants <> '' then parts := parts || ' ^' || replace(consonants, ' ', ' ^'); end if;

  if words ~ '[\u0620-\u06ff]' then
    arabic := ' ' || regexp_replace(regexp_replace(
      words, '[^ ]*[^ \u0600-\u06ff][^ ]*', '', 'g'), '[\u0640\u064b-\u065f\u0670\u06d6-\u06ed]+', '', 'g') || ' ';
    -- The article: written with the word, on its own, by its sound (ash-Shams), or left out.
    if arabic ~ ' (عبد)?ال..' then
      arabic := regexp_replace(arabic, ' ', '  ', 'g');
      arabic := arabic || regexp_replace(arabic, ' (عبد)?ال(?=..)', ' \1', 'g')
        || regexp_replace(arabic, ' (عبد)?ال([^ ])[^ ]+', ' ال ا\2', 'g')
        || case when arabic like '% عبدال%' then regexp_replace(arabic, ' عبدال(?=..)', ' ', 'g') else '' end;
    end if;
    arabic := translate(arabic,
      'اٱأإآعبپتطثجگغچشژحهخدضذزظرسصفڤقكکلمنويیىءةئؤ', 'aaaaaaBBTTSJJJCCJHhXDDZZZRSSFwKKKLMNwyyy');
    if arabic like '%h %' then arabic := arabic || replace(arabic, 'h ', ' '); end if;
    arabic := replace(replace(replace(replace(replace(
      arabic, 'h', 'H'), 'LL', 'L'), ' a', ' A'), ' y', ' Y'), ' w', ' W');
    arabic := btrim(regexp_replace(arabic, '[^A-Z ]+', '', 'g'));
    if arabic <> '' then parts := parts || ' ~' || regexp_replace(arabic, ' +', ' ~', 'g'); end if;
  end if;
  return parts;
end $$;

-- Each word with its center before it, because the index has no columns but this one; and once more from its end (behind
-- a <), for names of which only the beginning is written wrongly.
create function name_entries(center_id text, parts text) returns text language plpgsql immutable strict parallel safe as $$
declare
  words text := split_part(parts, '|', 1);
begin
  return center_id || '/' || replace(words, ' ', ' ' || center_id || '/') || ' '
    || center_id || '<' || replace(reverse(words), ' ', ' ' || center_id || '<')
    || replace(split_part(parts, '|', 2), ' ', ' ' || center_id);
end $$;

-- Names are cut, because a longer one than the index takes would be an error of whoever writes it.
create function name_index(center_id text, first_name text, last_name text) returns tsvector
language sql immutable parallel safe cost 500
return array_to_tsvector(string_to_array(name_entries(center_id, name_sounds(name_parts(
  left(name_letters(left(coalesce(first_name, ''), 100)), 200),
  left(name_letters(left(coalesce(last_name, ''), 100)), 200),
  -- Names of Latin-1 and Latin Extended-A have no other ways but for đ, and are most names.
  case when concat(first_name, last_name) ~ '[^\u0001-\u010f\u0112-\u017f\u0218-\u021b]' then name_letters(
    name_ways_joined(name_ways(left(coalesce(first_name, ''), 100)))
    || name_ways_joined(name_ways(left(coalesce(last_name, ''), 100)))) else '' end))), ' '));

create index customers_by_name on customers using gin (name_index(center_id, first_name, last_name))
  with (fastupdate = on, gin_pending_list_limit = 64);

-- The words of a text, each with all that it may be stored as: `at` is its position, `word` what the index has (`sound`),
-- or the consonants of the other script with their mark.
create function name_asked(name text) returns table (at bigint, word text, is_sound boolean)
language sql immutable strict parallel safe rows 4 as $$
  with ways as (
    select number, string_to_array(left(name_letters(way), 400), ' ') as words
    from unnest(array[left(name, 200)] || name_ways(left(name, 200))) with ordinality as w (way, number)
  ), separate as (
    select w.at, w.word, lag(w.word) over (partition by number order by w.at) as before
    from ways
    cross join unnest(words) with ordinality as w (word, at)
    where cardinality(words) = (select cardinality(words) from ways where number = 1)
  ), words as (
    select at, word from separate
    union
    -- Abd al-Rahman and Abdulrahman
    select at, before || word from separate where before = 'عبد' and word like 'ال__%'
  )
  select at, name_sounds(replace(word, 'ph', 'f')), true from words where word <> ''
  union
  select at, translate(mark, '^~', '~^'), false
  from words
  cross join string_to_table(split_part(name_parts(word, '', ''), '|', 2), ' ') as mark
  -- An article alone is not asked for.
  where length(mark) > 2 and not (word like 'ال__%' and mark ~ '^~A.$')
$$;

-- Text in the quotes of a query.
create function name_quoted(text_given text) returns text language sql immutable strict parallel safe
return '''' || replace(replace(text_given, '\', '\\'), '''', '''''') || '''';

-- Those who have names that begin with all words of a text; nobody where it has no letter or digit. Two consonants are a
-- whole name.
create function name_query(center_id text, text_given text) returns tsquery language sql immutable strict parallel safe
return (
  select coalesce(string_agg('(' || either || ')', ' & '), '')::tsquery
  from (
    select string_agg(
      name_quoted(case when is_sound then center_id || '/' || word else center_id || word end)
        || case when is_sound or length(word) > 3 then ':*' else '' end, ' | ') as either
    from name_asked(text_given)
    group by at
  ) words
);

-- Whoever may be meant by a name with typing errors: two of its words, or its only one, are nearly there. A word with
-- one error has its first or its second half right, so it is looked for by the beginning and by the end. Six words at most
-- are looked at. Consonants have no errors.
create function name_near(center_id text, name text) returns tsquery language sql immutable strict parallel safe
return (
  with words as (
    select at, word, is_sound, greatest(1, (length(word) - 1) / 2) as half, max(at) over () as of_all
    from name_asked(name)
  ), halves as (
    select at, of_all, word, is_sound, case when of_all = 1 then greatest(half, 3) else half end as half
    from words where at <= 6
  ), near as (
    select at, of_all, '(' || string_agg(
      case when is_sound
        then name_quoted(center_id || '/' || left(word, half)) || ':* | '
          || name_quoted(center_id || '<' || left(reverse(word), half)) || ':*'
        else name_quoted(center_id || word) || case when length(word) > 3 then ':*' else '' end
      end, ' | ') || ')' as query
    from halves group by at, of_all
  )
  select coalesce(string_agg(query, ' | '), '')::tsquery
  from (
    select query from near where of_all = 1
    union all
    select a.query || ' & ' || b.query from near a join near b on a.at < b.at
  ) either
);

-- A name as names are compared: its words as they sound, then the other ways to write it, then, where asked for or in
-- Arabic letters, the consonants behind their marks.
create function name_readings(name text, consonants boolean) returns text[] language sql immutable strict parallel safe
return array[name_sounds(replace(name_letters(left(name, 200)), 'ph', 'f'))]
  || case when octet_length(name) = length(name) then '{}'
    else array(
      select distinct name_sounds(replace(name_letters(way), 'ph', 'f')) from unnest(name_ways(left(name, 200))) way) end
  || case when consonants or name ~ '[\u0620-\u06ff]'
    then array_remove(array[btrim(split_part(name_parts(name_letters(left(name, 200)), '', ''), '|', 2))], '')
    else '{}' end;
