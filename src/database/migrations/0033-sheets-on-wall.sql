-- Which kitchen sheet of a day is on the wall, as a person has confirmed it; number null: none. Later numbers are compared
-- with it on all screens. Without a row, it is the newest sheet that a program has stored by GET, as before.
create table sheets_on_wall (
  center_id text collate "C" not null references centers on delete cascade deferrable initially deferred,
  day date not null,
  number integer check (number >= 1),
  confirmed_at timestamptz not null,
  primary key (center_id, day)
);

-- Stored to be printed: nothing is compared with it before somebody confirms that it is on the wall.
alter table meal_sheets add column proposed boolean not null default false;

-- Screens that follow meals learn of the choice. It is noted as a kind of its own, which no cached answer depends on; its
-- identifier is the day.
alter table changes drop constraint changes_kind_check;
alter table changes add constraint changes_kind_check check (kind in ('guest', 'session', 'order', 'sheet'));

create function changes_of_sheets_on_wall() returns trigger language plpgsql as $$
begin
  insert into changes (center_id, kind, id, operation, columns, session_ids, during)
  select n.center_id, 'sheet', n.day::text, 'changed', '{}', '{}', '{}' from new_rows n
  on conflict do nothing;
  return null;
end $$;

-- Not on delete: old days are pruned, which changes nothing that anybody sees.
create trigger first_touch_on_insert after insert on sheets_on_wall referencing new table as new_rows
  for each statement execute function note_touch('false');
create trigger first_touch_on_update after update on sheets_on_wall
  referencing old table as old_rows new table as new_rows
  for each statement execute function note_touch('false');
create trigger note_on_insert after insert on sheets_on_wall referencing new table as new_rows
  for each statement execute function changes_of_sheets_on_wall();
create trigger note_on_update after update on sheets_on_wall
  referencing old table as old_rows new table as new_rows
  for each statement execute function changes_of_sheets_on_wall();
