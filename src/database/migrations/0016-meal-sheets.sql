-- Kitchen sheets: the numbers of a day as they stood when somebody took a sheet, so that two cooks hold later changes
-- against the same one. Kept for days, and a bounded number of each day.
create table meal_sheets (
  center_id text collate "C" not null references centers on delete cascade deferrable initially deferred,
  day date not null,
  number integer not null check (number >= 1),
  taken_at timestamptz not null,
  -- who is there for which meal, by identifier and without names
  content text not null,
  primary key (center_id, day, number)
);
