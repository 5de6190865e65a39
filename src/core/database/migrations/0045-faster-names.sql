-- Names in Greek, Cyrillic and Arabic letters are indexed with half of the work. What is found by what does not change, so
-- the index stays as it is: both functions return the same as before for every text, but `name_ways` each way once.

-- As before, after the letters of most names.
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
  '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u3020]+', ' ', 'g'));
end $$;

-- As before, without searching for what a name does not have, and each way once.
create or replace function name_ways(name text) returns text[]
language plpgsql immutable parallel safe strict as $$
declare
  plain text;
  marked text;
  way text;
  written text;
  ways text[] := '{}';
  kept text[] := '{}';
begin
  if octet_length(name) = length(name) then return ways; end if;
  plain := replace(normalize(name, NFKC), '|', ' ');

  -- Croatian and Serbian: dj where đ cannot be typed
  if plain ~ '[đĐ]' then ways := ways || replace(replace(plain, 'đ', 'dj'), 'Đ', 'dj'); end if;

  if plain ~ '[\u0370-\u03ff\u1f00-\u1fff]' then
    marked := translate(normalize(plain, NFKD), 'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩς', 'αβγδεζηθικλμνξοπρστυφχψωσ');
    -- Two vowels, not a digraph: an accent on the first one, or a diaeresis.
    if marked like '%υ%' then
      marked := regexp_replace(marked, '([αεηο])[\u0300\u0301\u0342]υ', '\1y', 'g');
      marked := regexp_replace(marked, 'υ[\u0300\u0301\u0342]?\u0308', 'y', 'g');
    end if;
    plain := replace(regexp_replace(marked, '[\u0300-\u036f]+', '', 'g'), 'ου', 'ou');
    plain := replace(replace(replace(plain, 'γγ', 'nγ'), 'γξ', 'nξ'), 'γχ', 'nχ');
    if plain like '%μπ%' then
      plain := regexp_replace(plain, '(?<![α-ωa-z])μπ|μπ(?![α-ωa-z])', 'b', 'g');
    end if;
    -- ELOT 743 (ISO 843, UN, BGN/PCGN since 1996)
    way := plain;
    if plain like '%υ%' then
      way := regexp_replace(way, '([αεη])υ(?![αβγδεζηιλμνορυωa-z])', '\1f', 'g');
      way := regexp_replace(way, '([αεη])υ', '\1v', 'g');
    end if;
    ways := ways || way;
    -- BGN/PCGN before 1996, by the sound of γκ, μπ and ντ
    if way like '%γκ%' then way := replace(regexp_replace(way, '(?<![α-ωa-z])γκ', 'g', 'g'), 'γκ', 'nk'); end if;
    if way like '%ντ%' then way := replace(regexp_replace(way, '(?<![α-ωa-z])ντ', 'd', 'g'), 'ντ', 'nd'); end if;
    way := replace(way, 'μπ', 'mb');
    if way <> all(ways) then ways := ways || way; end if;
    -- ALA-LC, and with i for η
    way := case when plain like '%υ%' then regexp_replace(plain, '([αεη])υ', '\1u', 'g') else plain end;
    if way <> all(ways) then ways := ways || way; end if;
    way := replace(way, 'η', 'e');
    if way <> all(ways) then ways := ways || way; end if;
    -- χ is h, too
    written := array_to_string(ways, '|');
    if plain like '%χ%' then written := written || '|' || replace(written, 'χ', 'h'); end if;
    -- As `name_letters` writes them, which takes longer for text of other letters.
    ways := string_to_array(replace(replace(replace(
      translate(written, 'αβγδεζηικλμνξοπρστυφω', 'avgdeziiklmnxoprstyfo'), 'θ', 'th'), 'χ', 'ch'), 'ψ', 'ps'), '|');
  end if;

  if plain ~ '[\u0400-\u04ff]' then
    plain := translate(plain,
      'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯІЇЄҐЎЂЃЌЈЉЊЋЏЅ', 'абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґўђѓќјљњћџѕ');
    -- BGN/PCGN for Russian; ё by it, and as it is spoken
    if plain ~ '[её]' then
      ways := ways || regexp_replace(plain, '(?<![бвгджзклмнпрстфхцчшщ])[её]', 'ye', 'g');
    end if;
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
    foreach way in array ways loop
      if way <> plain and way <> all(kept) then kept := kept || way; end if;
    end loop;
    written := array_to_string(kept, '|');
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
