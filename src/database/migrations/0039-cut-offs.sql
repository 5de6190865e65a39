-- The state of a day's meal at its cut-off: the number of the sheet that has it, and when it was stored: at the cut-off, or
-- later if the service did not run then.
create table meal_cut_offs (
  center_id text collate "C" not null references centers on delete cascade deferrable initially deferred,
  day date not null,
  meal text not null check (meal in ('breakfast', 'lunch', 'dinner')),
  number integer not null check (number >= 1),
  taken_at timestamptz not null,
  primary key (center_id, day, meal)
);

-- Which sheet of a day has all changes that the kitchen has acknowledged; number null: none.
create table sheets_acknowledged (
  center_id text collate "C" not null references centers on delete cascade deferrable initially deferred,
  day date not null,
  number integer check (number >= 1),
  acknowledged_at timestamptz not null,
  primary key (center_id, day)
);

-- Screens that follow meals learn of both, as of the sheet on the wall.
do $$
declare
  of text;
begin
  foreach of in array array['meal_cut_offs', 'sheets_acknowledged'] loop
    execute format('create trigger first_touch_on_insert after insert on %I referencing new table as new_rows
      for each statement execute function note_touch(''false'')', of);
    execute format('create trigger first_touch_on_update after update on %I
      referencing old table as old_rows new table as new_rows
      for each statement execute function note_touch(''false'')', of);
    execute format('create trigger note_on_insert after insert on %I referencing new table as new_rows
      for each statement execute function changes_of_sheets_on_wall()', of);
    execute format('create trigger note_on_update after update on %I
      referencing old table as old_rows new table as new_rows
      for each statement execute function changes_of_sheets_on_wall()', of);
  end loop;
end $$;
