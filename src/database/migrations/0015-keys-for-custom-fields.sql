-- Custom fields that a key may read although it has no guests.personal: a kitchen's key shows diets and nothing else.
alter table api_keys add column custom_fields text[] not null default '{}';
