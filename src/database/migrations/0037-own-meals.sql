-- What decides who eats a meal (ruling 43): the meals of a package or program, and those of a single booking. Null: all
-- meals, and nothing of its own.
alter table terms
  add column meals text[],
  add constraint terms_meals check (
    meals is null or (term_set in ('package', 'program') and meals <@ '{breakfast,lunch,dinner}'::text[])
  );
alter table bookings
  add column meals jsonb,
  add constraint bookings_meals check (jsonb_typeof(meals) = 'array');

-- A sheet now stores what was decided of each meal. Sheets of the earlier format cannot say that.
delete from sheets_on_wall;
delete from meal_sheets;

select compare_all_columns();
