-- Names are found whatever the case, the order and the script they are written in. What is kept and what is asked for go
-- through the same functions, so both sides always agree, whoever wrote the names: the import, or another system's SQL.
-- An index keeps what comes of them, so they are never changed: another folding gets another name and another index.
--
-- Their bodies are bound when they are made, because an index is built and analyzed with nobody's search path.

-- A name in small letters of the Latin alphabet, its words with one space between. Marks are taken off; other letters of
-- Latin, Greek and Cyrillic are written as any-ascii 0.3 writes them (test/database/names.test.ts compares all of
-- them). What is in neither, such as Arabic, stays as it is.
create function name_letters(name text) returns text language sql immutable strict parallel safe
return trim(regexp_replace(
  lower(case when octet_length(name) = length(name) then name else
      replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
      replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
      replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
      replace(replace(replace(translate(
        regexp_replace(normalize(name, NFKD), '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff]+', '', 'g'),
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
        , 'ҏ', 'rh'), 'ҧ', 'ph'), 'ӆ', 'lh'), 'ӊ', 'nh'), 'ӎ', 'mh'), 'ӻ', 'xh'), 'ỻ', 'll')
  end collate "C"),
  '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u3020]+', ' ', 'g'));

-- The same for all common ways to write one name: y, j and i are one letter, and so are w and v, and k, q and c; x is
-- ks; an e behind another vowel that stands for an umlaut, an h behind a consonant, and the second of two equal letters
-- say nothing.
create function name_sounds(letters text) returns text language sql immutable strict parallel safe
return replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
  replace(replace(replace(replace(replace(replace(replace(replace(replace(translate(letters, 'yjwkq', 'iivcc'), 'x', 'cs'), 'ae', 'a'), 'oe', 'o'), 'ue', 'u'), 'bh', 'b'), 'ch', 'c'), 'dh', 'd'), 'gh', 'g')
    , 'ph', 'p'), 'rh', 'r'), 'sh', 's'), 'th', 't'), 'vh', 'v'), 'zh', 'z'), 'aa', 'a'), 'bb', 'b')
    , 'cc', 'c'), 'dd', 'd'), 'ee', 'e'), 'ff', 'f'), 'gg', 'g'), 'ii', 'i'), 'll', 'l'), 'mm', 'm')
    , 'nn', 'n'), 'oo', 'o'), 'pp', 'p'), 'rr', 'r'), 'ss', 's'), 'tt', 't'), 'uu', 'u'), 'vv', 'v')
    , 'zz', 'z');

-- What somebody is found by: each word of the names, and several written as one. A ph is an f too, but what was typed up
-- to its p begins with the p.
create function name_words(first_letters text, last_letters text) returns text
language sql immutable strict parallel safe
return trim(replace(
  first_letters || ' ' || last_letters || ' ' || replace(first_letters, ' ', '') || ' ' || replace(last_letters, ' ', ''),
  '  ', ' '));

create function name_forms(words text) returns text language sql immutable strict parallel safe
return name_sounds(case when words like '%ph%' then words || ' ' || replace(words, 'ph', 'f') else words end);

create function name_lexemes(center_id text, forms text) returns text language sql immutable strict parallel safe
return center_id || '/' || replace(forms, ' ', ' ' || center_id || '/') || ' '
  || center_id || '<' || replace(reverse(forms), ' ', ' ' || center_id || '<');

-- Every form of a name with its center before it, because the index has no columns but this one; and once more from
-- its end (behind a <), for names of which only the beginning is written wrongly. Cut, because a longer one than the
-- index takes would be an error of whoever writes it.
create function name_keys(center_id text, first_name text, last_name text) returns tsvector
language sql immutable strict parallel safe cost 500
return array_to_tsvector(string_to_array(name_lexemes(center_id, name_forms(name_words(
  left(name_letters(left(first_name, 100)), 200),
  left(name_letters(left(last_name, 100)), 200)))), ' '));

-- Each word as a query of what begins with it.
create function name_prefixes(opening text, words text) returns tsquery language sql immutable strict parallel safe
return (case when words = '' then '' else opening || replace(words, ' ', ''':* & ' || opening) || ''':*' end)::tsquery;

-- Those who have names that begin with all words of a text; nobody where it has no letter or digit.
create function name_query(center_id text, text_given text) returns tsquery language sql immutable strict parallel safe
return name_prefixes('''' || replace(center_id, '''', '''''') || '/', name_sounds(replace(left(name_letters(left(text_given, 200)), 400), 'ph', 'f')));

create index customers_by_name on customers using gin (name_keys(center_id, first_name, last_name))
  with (fastupdate = off);
