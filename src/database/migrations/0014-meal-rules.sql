-- What a center says of its meals (records.md: mealRules), for the portions that the kitchen cooks; null: the defaults.
alter table centers add column meal_rules jsonb check (jsonb_typeof(meal_rules) = 'object');
