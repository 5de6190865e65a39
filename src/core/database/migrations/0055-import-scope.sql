-- An intake key may have the scope import: it sees which stored values a file would change (docs/import-page.md).
-- phase: expand
-- locks: api_keys
-- reads_from: 0051
alter table api_keys drop constraint api_keys_scopes_check;

alter table api_keys add constraint api_keys_scopes_check check (
  case when intake then scopes <@ '{import}' else cardinality(scopes) > 0 and not scopes && '{import}' end
);
