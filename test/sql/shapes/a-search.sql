with sought as materialized (select nullif(left(name_letters($1::text), 200), '') as letters),
all_by_name as materialized (
    select c.id from customers c
    where c.center_id = $2 collate "POSIX"
      and name_index(c.center_id, c.first_name, c.last_name) @@ name_query($3, $4)),
by_name as materialized (select * from all_by_name limit $5),
asked as materialized (select at, word, is_sound from name_asked($6::text)),
exact as (
  select at, '(' || string_agg(
    name_quoted($7 || case when is_sound then '/' else '' end || word)
      || case when is_sound or length(word) > 3 then ':*' else '' end, ' | ') || ')' as query
  from asked group by at
),
slips as (
  select at, '(' || string_agg(name_quoted($8 || '/' || slip) || rest, ' | ') || ')' as query
  from (
    select distinct a.at, a.word, v.slip, case when length(a.word) >= $9 then ':*' else '' end as rest
    from asked a
    cross join generate_series(0, length(a.word)) p
    cross join lateral (
      select left(a.word, p) || letter || substr(a.word, p + size) as slip
      from string_to_table($10, ',') letter cross join (values (1), (2)) s (size)
      union all
      select left(a.word, p) || substr(a.word, p + 2, 1) || substr(a.word, p + 1, 1) || substr(a.word, p + 3)
    ) v
    where a.is_sound and a.at <= $11 and a.word ~ '^[a-z]{4,16}$'
  ) slip
  where slip <> word
  group by at
),
all_by_similar_name as materialized (
    select c.id from customers c
    where c.center_id = $12 collate "POSIX"
      and name_index(c.center_id, c.first_name, c.last_name) @@ (
      select string_agg(s.query || coalesce((
        select string_agg(' & ' || e.query, '') from exact e where e.at <> s.at
      ), ''), ' | ')::tsquery
      from slips s
    ) except select id from all_by_name),
by_similar_name as materialized (select * from all_by_similar_name limit $13),
all_by_birth as materialized (
    select c.id from customers c where c.center_id = $14 and c.dob = any($15::date[])),
by_birth as materialized (select * from all_by_birth limit $16),
all_by_email as materialized (
    select c.id from customers c
    where c.center_id = $17 collate "POSIX"
      and coalesce(c.email, c.phone, c.secondary_phone) is not null
      and contact_index(c.center_id, c.email, c.phone, c.secondary_phone) @@ (select search_query($18::text, letters) from sought)),
by_email as materialized (select * from all_by_email limit $19),
all_by_booking_number as materialized (
    select b.id, b.customer_id from bookings b
    where b.center_id = $20 collate "POSIX" and b.booking_id is not null
      and number_index(b.center_id, b.booking_id) @@ (select search_query($21::text, letters) from sought)),
by_booking_number as materialized (select * from all_by_booking_number limit $22),
rooms as materialized (
  select distinct room_letters(t.id) as letters
  from terms t
  cross join sought s
  where t.center_id = $23 and t.term_set = 'room'
    and exists (
      select from (
        select t.id as name union all select t.name union all select value from jsonb_each_text(t.names)
      ) n
      where position(' ' || s.letters in ' ' || room_letters(n.name)) > 0
    )
  union
  select s.letters from sought s where length(s.letters) >= 3
  limit $24
),
by_room as materialized (
  select id, customer_id from (
    select b.id, b.customer_id, b.start_date
    from rooms r
    cross join lateral (
      select b.id, b.customer_id, b.start_date
      from bookings b
      where b.center_id = $25 and b.accommodation ->> 'roomId' is not null
        and room_letters(b.accommodation ->> 'roomId') = r.letters collate "default"
      order by b.start_date desc
      limit $26
    ) b
    union
    select b.id, b.customer_id, b.start_date
    from bookings b
    where b.center_id = $27 collate "POSIX" and b.acc_segments is not null
      and segments_index(b.center_id, b.acc_segments)
        && array(select $28::text || r.letters from rooms r)
  ) stay
  order by start_date desc
  limit $29
),
hits as (
  select id as customer_id, null as booking, 'name' as found_by, false as is_similar from by_name
  union all select id, null, 'similarName', true from by_similar_name
  union all select id, null, 'email', false from by_email
  union all
  select p.id, null, 'dob', c.dob <> all($30::date[])
  from by_birth p join customers c on c.center_id = $31 and c.id = p.id
  union all select customer_id, id, 'bookingId', false from by_booking_number
  union all select customer_id, id, 'room', false from by_room
),
people as materialized (
  select customer_id, json_agg(distinct found_by) as found_by, bool_and(is_similar) as is_similar,
    array_agg(booking) filter (where booking is not null) as bookings
  from hits
  group by customer_id
),
guests as materialized (
  select p.customer_id, p.found_by, p.is_similar, stay.*
  from people p
  cross join lateral (
    select b.id, b.start_date, b.end_date,
      case when not (b.status <> all($32)) then 3 when b.end_date < $33 then 2
        when b.start_date > $34 then 1 else 0 end as rank
    from bookings b
    where b.center_id = $35 and b.customer_id = p.customer_id
      and (p.bookings is null or b.id = any(p.bookings))
    order by rank, abs(extract(epoch from b.start_date - $36::timestamptz)), b.id
    limit 1
  ) stay
),
all_by_order_number as materialized (
    select o.uuid from orders o
    where o.center_id = $37 collate "POSIX" and o.number is not null
      and number_index(o.center_id, o.number) @@ (select search_query($38::text, letters) from sought)),
by_order_number as materialized (select * from all_by_order_number limit $39),
by_stay as materialized (
  select b.order_uuid as uuid, n.found_by
  from (
    select id, found_by from (
      select id, 'name' as found_by from all_by_name union all select id, 'similarName' from all_by_similar_name
    ) each limit $40
  ) n
  cross join lateral (
    select b.order_uuid from bookings b
    where b.center_id = $41 and b.customer_id = n.id and b.order_uuid is not null
    limit $42
  ) b
  limit $43
),
by_guest as materialized (
  select uuid, min(found_by) as found_by from by_stay group by uuid limit $44
),
found_orders as materialized (
  select uuid, json_agg(found_by) as found_by, bool_and(found_by = 'similarName') as is_similar
  from (
    select uuid, 'orderNumber' as found_by from by_order_number
    union all select uuid, found_by from by_guest
    union all select o.uuid, 'uuid' from orders o where o.center_id = $45 and o.uuid = $46
  ) found
  group by uuid
)
select (select revision from center_revisions where center_id = $47) as revision,
  json_build_object(
  'total', (select count(*)::int from guests),
  'complete', not ((select count(*) from by_name) > $48 or (select count(*) from by_similar_name) > $49 or (select count(*) from by_email) > $50 or (select count(*) from by_booking_number) > $51 or (select count(*) from by_birth) > $52 or (select count(*) from by_room) > $53
    or (select count(*) from rooms) > $54),
  'data', (
    select coalesce(json_agg(json_build_array(g.id, c.first_name, c.last_name, r.id,
      coalesce((
        select coalesce(t.names ->> $55, t.name) from terms t
        where t.center_id = $56 and t.term_set = 'room' and t.id = r.id
      ), r.id),
      floor(date_part('epoch', g.start_date) * 1000 + 0.0005), floor(date_part('epoch', g.end_date) * 1000 + 0.0005), b.status, g.rank, g.found_by,
      c.email, null::text, b.booking_id, g.is_similar,
      to_char(c.dob, 'YYYY-MM-DD')) order by g.position), '[]')
    from (
      select *, row_number() over (
        order by is_similar, rank, abs(extract(epoch from start_date - $57::timestamptz)), id
      ) as position
      from guests order by position limit $58
    ) g
    join bookings b on b.center_id = $59 and b.id = g.id
    join customers c on c.center_id = $60 and c.id = g.customer_id
    cross join lateral (
      select case when b.acc_segments is null then b.accommodation
        else coalesce(segment_on(b.acc_segments, least(
          to_char((b.end_date at time zone 'UTC' + make_interval(secs =>
($61::float8[])[width_bucket(extract(epoch from b.end_date)::float8, $62::float8[]) + 1])), 'YYYY-MM-DD'),
          greatest(to_char((b.start_date at time zone 'UTC' + make_interval(secs =>
($63::float8[])[width_bucket(extract(epoch from b.start_date)::float8, $64::float8[]) + 1])), 'YYYY-MM-DD'), $65::text))), b.accommodation)
      end ->> 'roomId' as id
    ) r
  )) as guests,
  json_build_object(
  'total', (select count(*)::int from found_orders),
  'complete', not ((select count(*) from by_order_number) > $66 or (select count(*) from by_guest) > $67
    or (select count(*) from by_stay) > $68 or (
    select count(*) from (
      select from all_by_name union all select from all_by_similar_name limit $69
    ) n
  ) > $70),
  'data', (
    select coalesce(json_agg(json_build_array(o.uuid, o.number, floor(date_part('epoch', o.order_date) * 1000 + 0.0005), o.status,
      o.payment_status, f.found_by, (
  select jsonb_agg(jsonb_build_array(g.first_name, g.last_name, g.main))
  from (
    select c.id, c.first_name, c.last_name, bool_or(coalesce(b.is_order_main_guest, false)) as main
    from bookings b
    join customers c on c.center_id = b.center_id and c.id = b.customer_id
    where b.center_id = o.center_id and b.order_uuid = o.uuid
    group by c.id, c.first_name, c.last_name
  ) g)) order by f.is_similar, o.order_date desc, o.uuid), '[]')
    from (
      select f.uuid, f.found_by, f.is_similar from found_orders f
      join orders o on o.center_id = $71 and o.uuid = f.uuid
      order by f.is_similar, o.order_date desc, o.uuid limit $72
    ) f
    join orders o on o.center_id = $73 and o.uuid = f.uuid
  )) as orders
-- $1 = "room 42"
-- $2 = "c07"
-- $3 = "c07"
-- $4 = "room 42"
-- $5 = 201
-- $6 = "room 42"
-- $7 = "c07"
-- $8 = "c07"
-- $9 = 6
-- $10 = ",a,b,c,d,e,f,g,h,i,l,m,n,o,p,r,s,t,u,v,z"
-- $11 = 3
-- $12 = "c07"
-- $13 = 201
-- $14 = "c07"
-- $15 = ["1980-05-03","1980-03-05"]
-- $16 = 201
-- $17 = "c07"
-- $18 = "c07@"
-- $19 = 201
-- $20 = "c07"
-- $21 = "c07/"
-- $22 = 201
-- $23 = "c07"
-- $24 = 51
-- $25 = "c07"
-- $26 = 500
-- $27 = "c07"
-- $28 = "c07/"
-- $29 = 501
-- $30 = ["1980-05-03"]
-- $31 = "c07"
-- $32 = ["cancelled","waitingList","review"]
-- $33 = "2025-01-06T00:00:00.000Z"
-- $34 = "2025-01-12T23:59:59.999Z"
-- $35 = "c07"
-- $36 = "2025-01-06T00:00:00.000Z"
-- $37 = "c07"
-- $38 = "c07/"
-- $39 = 201
-- $40 = 5001
-- $41 = "c07"
-- $42 = 50
-- $43 = 601
-- $44 = 201
-- $45 = "c07"
-- $46 = "room 42"
-- $47 = "c07"
-- $48 = 200
-- $49 = 200
-- $50 = 200
-- $51 = 200
-- $52 = 200
-- $53 = 500
-- $54 = 50
-- $55 = "en"
-- $56 = "c07"
-- $57 = "2025-01-06T00:00:00.000Z"
-- $58 = 20
-- $59 = "c07"
-- $60 = "c07"
-- $61 = [7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200]
-- $62 = [296604000,307486800,323816400,338940000,354672000,370396800,386121600,401846400,417571200,433296000,449020800,465350400,481075200,496800000,512524800,528249600,543974400,559699200,575424000,591148800,606873600,622598400,638323200,654652800,670370400,686095200,701820000,717544800,733269600,748994400,764719200,780440400,796168800,811890000,828223200,846363600,859683600,877827600,891133200,909277200,922582800,941331600,954032400,972781200,985482000,1004230800,1017536400,1035680400,1048986000,1067130000,1080435600,1099184400,1111885200,1130634000,1143334800,1162083600,1174784400,1193533200,1206838800,1224982800,1238288400,1256432400,1269738000,1288486800,1301187600,1319936400,1332637200,1351386000,1364691600,1382835600,1396141200,1414285200,1427590800,1445734800,1459040400,1477789200,1490490000,1509238800,1521939600,1540688400,1553994000,1572138000,1585443600,1603587600,1616893200,1635642000,1648342800,1667091600,1679792400,1698541200,1711846800,1729990800,1743296400,1761440400,1774746000,1792890000,1806195600,1824944400,1837645200,1856394000,1869094800,1887843600,1901149200,1919293200,1932598800,1950742800,1964048400,1982797200,1995498000,2014246800,2026947600,2045696400,2058397200,2077146000,2090451600,2108595600,2121901200,2140045200,2153350800,2172099600,2184800400,2203549200,2216250000,2234998800,2248304400,2266448400,2279754000,2297898000,2311203600,2329347600,2342653200,2361402000,2374102800,2392851600,2405552400,2424301200,2437606800,2455750800,2469056400,2487200400,2500506000,2519254800,2531955600,2550704400,2563405200,2582154000,2595459600,2613603600,2626909200,2645053200,2658358800,2676502800,2689808400,2708557200,2721258000,2740006800,2752707600,2771456400,2784762000,2802906000,2816211600,2834355600,2847661200,2866410000,2879110800,2897859600,2910560400,2929309200,2942010000,2960758800,2974064400,2992208400,3005514000,3023658000,3036963600,3055712400,3068413200,3087162000,3099862800,3118611600,3131917200,3150061200,3163366800,3181510800,3194816400,3212960400,3226266000,3245014800,3257715600,3276464400,3289165200,3307914000,3321219600,3339363600,3352669200,3370813200,3384118800,3402867600,3415568400,3434317200,3447018000,3465766800,3479072400,3497216400,3510522000,3528666000,3541971600,3560115600,3573421200,3592170000,3604870800,3623619600,3636320400,3655069200,3668374800,3686518800,3699824400,3717968400,3731274000,3750022800,3762723600,3781472400,3794173200,3812922000,3825622800,3844371600,3857677200,3875821200,3889126800,3907270800,3920576400,3939325200,3952026000,3970774800,3983475600,4002224400,4015530000,4033674000,4046979600,4065123600,4078429200,4096573200]
-- $63 = [7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200,10800,7200]
-- $64 = [296604000,307486800,323816400,338940000,354672000,370396800,386121600,401846400,417571200,433296000,449020800,465350400,481075200,496800000,512524800,528249600,543974400,559699200,575424000,591148800,606873600,622598400,638323200,654652800,670370400,686095200,701820000,717544800,733269600,748994400,764719200,780440400,796168800,811890000,828223200,846363600,859683600,877827600,891133200,909277200,922582800,941331600,954032400,972781200,985482000,1004230800,1017536400,1035680400,1048986000,1067130000,1080435600,1099184400,1111885200,1130634000,1143334800,1162083600,1174784400,1193533200,1206838800,1224982800,1238288400,1256432400,1269738000,1288486800,1301187600,1319936400,1332637200,1351386000,1364691600,1382835600,1396141200,1414285200,1427590800,1445734800,1459040400,1477789200,1490490000,1509238800,1521939600,1540688400,1553994000,1572138000,1585443600,1603587600,1616893200,1635642000,1648342800,1667091600,1679792400,1698541200,1711846800,1729990800,1743296400,1761440400,1774746000,1792890000,1806195600,1824944400,1837645200,1856394000,1869094800,1887843600,1901149200,1919293200,1932598800,1950742800,1964048400,1982797200,1995498000,2014246800,2026947600,2045696400,2058397200,2077146000,2090451600,2108595600,2121901200,2140045200,2153350800,2172099600,2184800400,2203549200,2216250000,2234998800,2248304400,2266448400,2279754000,2297898000,2311203600,2329347600,2342653200,2361402000,2374102800,2392851600,2405552400,2424301200,2437606800,2455750800,2469056400,2487200400,2500506000,2519254800,2531955600,2550704400,2563405200,2582154000,2595459600,2613603600,2626909200,2645053200,2658358800,2676502800,2689808400,2708557200,2721258000,2740006800,2752707600,2771456400,2784762000,2802906000,2816211600,2834355600,2847661200,2866410000,2879110800,2897859600,2910560400,2929309200,2942010000,2960758800,2974064400,2992208400,3005514000,3023658000,3036963600,3055712400,3068413200,3087162000,3099862800,3118611600,3131917200,3150061200,3163366800,3181510800,3194816400,3212960400,3226266000,3245014800,3257715600,3276464400,3289165200,3307914000,3321219600,3339363600,3352669200,3370813200,3384118800,3402867600,3415568400,3434317200,3447018000,3465766800,3479072400,3497216400,3510522000,3528666000,3541971600,3560115600,3573421200,3592170000,3604870800,3623619600,3636320400,3655069200,3668374800,3686518800,3699824400,3717968400,3731274000,3750022800,3762723600,3781472400,3794173200,3812922000,3825622800,3844371600,3857677200,3875821200,3889126800,3907270800,3920576400,3939325200,3952026000,3970774800,3983475600,4002224400,4015530000,4033674000,4046979600,4065123600,4078429200,4096573200]
-- $65 = "2025-01-06"
-- $66 = 200
-- $67 = 200
-- $68 = 600
-- $69 = 5001
-- $70 = 5000
-- $71 = "c07"
-- $72 = 20
-- $73 = "c07"
