-- The local year in which a session begins, for the booking identifiers of its guests (ruling 39). The service computes local days,
-- because the database may have older rules for a time zone, so it writes the year where the zone decides it: within a day or so
-- of a new year. A session without one was imported before.
-- phase: expand
-- locks: sessions
-- reads_from: 0061

alter table sessions add column start_year integer;

create or replace function booking_id_text(center centers, session sessions, number integer) returns text
language sql stable as $$
  -- Each token becomes a control character first, so that a session named "BN" stays as it is.
  select replace(replace(replace(
    replace(replace(replace(center.booking_id_format, 'YY', chr(1)), 'SN', chr(2)), 'BN', chr(3)),
    chr(1), (
      select case
        when y.before = y.after then right(y.before::text, 2)
        -- A version before may have moved the session.
        when session.start_year in (y.before, y.after) then right(session.start_year::text, 2)
        else to_char(session.start_date at time zone center.timezone, 'YY')
      end
      from (
        select extract(year from session.start_date at time zone 'UTC' - interval '1 day')::integer as before,
          extract(year from session.start_date at time zone 'UTC' + interval '1 day')::integer as after
      ) y
    )),
    chr(3), case when number < 100 then lpad(number::text, 2, '0') else number::text end),
    chr(2), case when center.booking_id_session = 'name' then session.name
      else coalesce(nullif(session.number, ''), session.name) end)
$$;

select compare_all_columns();
