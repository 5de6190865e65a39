-- The server that has given the numbers of transactions in these tables. After a restore into another server they say
-- nothing: its own begin anew, and a commit whose number is noted already would go unnoticed (database/origin.ts).
create table database_origin (
  only_row boolean primary key default true check (only_row),
  system_identifier text not null
);
