-- Sources: whatever delivers data, when the center expects it, and how old the data is. The deliveries are the lines of
-- the log of imports, which get the source, the time of the file, and why lines were rejected.
alter table imports add column source text collate "C";
update imports set source = way;
alter table imports alter column source set not null;
-- In epoch terms of the sender's or the machine's clock; null if the content came without a file.
alter table imports add column file_time timestamptz;
-- The causes of rejected lines, by kind and field, never with a value of a record.
alter table imports add column causes jsonb not null default '[]';
create index imports_by_source on imports (center_id, source, ended_at desc);

create table sources (
  center_id text collate "C" not null,
  name text collate "C" not null,
  -- Null: those of its deliveries.
  kinds text[],
  -- As it was entered; null: no deliveries are expected.
  schedule text,
  scheduled_at timestamptz not null default clock_timestamp(),
  -- The application whose intake keys deliver for it.
  app_id text collate "C",
  constraint sources_pkey primary key (center_id, name),
  constraint sources_center_id_fkey foreign key (center_id) references centers (center_id) on delete cascade
    deferrable initially deferred
);

insert into sources (center_id, name)
select distinct i.center_id, i.source from imports i join centers c on c.center_id = i.center_id;

-- What the process that watches a folder has reported last. Apart from the sources, because it reports each minute, which
-- makes no answer older.
create table source_folders (
  center_id text collate "C" not null,
  source text collate "C" not null,
  reported_at timestamptz not null,
  state text not null,
  unfinished_since timestamptz,
  empty_since timestamptz,
  waiting_since timestamptz,
  is_disk_full boolean not null,
  constraint source_folders_pkey primary key (center_id, source),
  constraint source_folders_state_check check (state in ('watching', 'ended', 'missing', 'unusable')),
  constraint source_folders_center_id_source_fkey foreign key (center_id, source)
    references sources (center_id, name) on delete cascade deferrable initially deferred
);

-- Moves when a center gets a delivery or its sources change: what is kept about them is read again then.
alter table center_revisions add column sources_revision bigint not null default 0;

-- A source is known from its first delivery on. The rows are locked in order, because an import may concern many centers.
create function note_deliveries() returns trigger language plpgsql as $$
begin
  insert into sources (center_id, name)
  select distinct n.center_id, n.source from new_rows n
  join centers c on c.center_id = n.center_id
  on conflict do nothing;
  perform from center_revisions
  where center_id in (select center_id from new_rows) order by center_id for update;
  update center_revisions set sources_revision = sources_revision + 1
  where center_id in (select center_id from new_rows);
  return null;
end $$;

create function note_sources() returns trigger language plpgsql as $$
begin
  update center_revisions set sources_revision = sources_revision + 1
  where center_id = case when tg_op = 'DELETE' then old.center_id else new.center_id end;
  return null;
end $$;

create trigger note_deliveries after insert on imports
  referencing new table as new_rows for each statement execute function note_deliveries();
create trigger note_sources after update or delete on sources for each row execute function note_sources();
-- A source that a delivery makes known is noted with the delivery.
create trigger note_new_source after insert on sources for each row
  when (new.schedule is not null or new.app_id is not null) execute function note_sources();
