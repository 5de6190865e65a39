-- PostgreSQL analyzes, vacuums and rebuilds an index with no search path but its own, so a function in PL/pgSQL that an index
-- uses finds other functions only with a path of its own. Without it, no table of guests with contact data could be analyzed,
-- and nobody could be erased.
-- phase: expand
-- locks: none
-- reads_from: 0050
do $$
begin
  execute format('alter function search_rests(text, text) set search_path to %I', current_schema());
  execute format('alter function contact_index(text, text, text, text) set search_path to %I', current_schema());
end $$;
