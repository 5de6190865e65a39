-- Who answers for a key, when its need is reviewed, and which scopes a key of the administration may grant (rulings 48 and 49).
-- phase: expand
-- locks: api_keys
-- reads_from: 0051
alter table api_keys add column responsible text;
alter table api_keys add column review_on date;
alter table api_keys add column grants text[] not null default '{}';
