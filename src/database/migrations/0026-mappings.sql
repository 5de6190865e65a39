-- Mappings of the columns of spreadsheets, which an import names in place of a file.
create table mappings (
  center_id text collate "C" not null references centers on delete cascade,
  name text collate "C" not null,
  -- YAML or JSON as it was written
  body text not null check (octet_length(body) <= 65536),
  saved_at timestamptz not null default clock_timestamp(),
  -- whoever ran the command, by their name on its machine
  saved_by text not null,
  primary key (center_id, name)
);
