-- Whether a key may be used to show personal and medical data to an assistant. Keys that are there may not: whoever made
-- them was not asked.
alter table api_keys add column allow_assistants boolean not null default false;

-- How the reads came: null for a program's own requests. The hash of an entry takes it where there is one, so the trails
-- that are there stay as they are.
alter table audit_entries add column channel text collate "C";
