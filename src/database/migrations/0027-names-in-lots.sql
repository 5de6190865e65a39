-- What is made of a name is what it was, for less: as bodies of SQL these functions were set up anew for each name, which
-- cost more than all else of an import's index. Only functions of PostgreSQL's own are called here, so that these bodies
-- need nobody's search path either.

-- Once the marks are taken off, most names need nothing else.
create or replace function name_letters(name text) returns text language plpgsql immutable strict parallel safe as $$
declare
  letters text := name;
begin
  if octet_length(letters) <> length(letters) then
    letters := regexp_replace(normalize(letters, NFKD), '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff]+', '', 'g');
  end if;
  if octet_length(letters) <> length(letters) then
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

create or replace function name_sounds(letters text) returns text language plpgsql immutable strict parallel safe as $$
begin
  return replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    replace(replace(replace(replace(replace(replace(replace(replace(replace(translate(letters, 'yjwkq', 'iivcc'), 'x', 'cs'), 'ae', 'a'), 'oe', 'o'), 'ue', 'u'), 'bh', 'b'), 'ch', 'c'), 'dh', 'd'), 'gh', 'g')
      , 'ph', 'p'), 'rh', 'r'), 'sh', 's'), 'th', 't'), 'vh', 'v'), 'zh', 'z'), 'aa', 'a'), 'bb', 'b')
      , 'cc', 'c'), 'dd', 'd'), 'ee', 'e'), 'ff', 'f'), 'gg', 'g'), 'ii', 'i'), 'll', 'l'), 'mm', 'm')
      , 'nn', 'n'), 'oo', 'o'), 'pp', 'p'), 'rr', 'r'), 'ss', 's'), 'tt', 't'), 'uu', 'u'), 'vv', 'v')
      , 'zz', 'z');
end $$;

create or replace function name_words(first_letters text, last_letters text) returns text
language plpgsql immutable strict parallel safe as $$
begin
  return trim(replace(
    first_letters || ' ' || last_letters || ' ' || replace(first_letters, ' ', '') || ' ' || replace(last_letters, ' ', ''),
    '  ', ' '));
end $$;

create or replace function name_lexemes(center_id text, forms text) returns text
language plpgsql immutable strict parallel safe as $$
begin
  return center_id || '/' || replace(forms, ' ', ' ' || center_id || '/') || ' '
    || center_id || '<' || replace(reverse(forms), ' ', ' ' || center_id || '<');
end $$;

-- New names wait in a short list, and go into the index some hundred at a time. A search reads the list too, so it is as
-- short as PostgreSQL allows: eight pages.
alter index customers_by_name set (fastupdate = on, gin_pending_list_limit = 64);
