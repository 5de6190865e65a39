-- Roles of Sojourn on PostgreSQL 15 or newer. Run it once, as a superuser, before the first "sojourn migrate":
--   psql --set ON_ERROR_STOP=1 --file roles.sql postgres
-- Give both roles a password (\password sojourn) or a certificate afterwards, as your server requires.

-- Owns the tables: runs migrations and the commands that delete for good.
create role sojourn_owner login;
-- Serves and imports. It cannot change or delete what is in the audit trail: "sojourn migrate" sees to that.
create role sojourn login;

create database sojourn owner sojourn_owner;
-- No other role may connect. Imports use temporary tables.
revoke all on database sojourn from public;
grant connect, temporary on database sojourn to sojourn;

\connect sojourn

-- For the tables that migrations create.
alter default privileges for role sojourn_owner grant select, insert, update, delete on tables to sojourn;
alter default privileges for role sojourn_owner grant usage on sequences to sojourn;
-- To vacuum. In PostgreSQL 15 and 16, only the owner of a table can.
do $$
begin
  if current_setting('server_version_num')::int >= 170000 then
    alter default privileges for role sojourn_owner grant maintain on tables to sojourn;
  end if;
end $$;
