-- Reads under pseudonyms (ruling 45).

alter table centers add column pseudonymous_reads boolean not null default false;

-- What the pseudonyms of an application are made with. All keys of an application have the same, so that a rotated key
-- gives the same pseudonyms.
create function new_pseudonym_secret() returns bytea
language sql volatile as $$
  -- 244 random bits.
  select sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
$$;

alter table api_keys add column pseudonym_secret bytea;

update api_keys k set pseudonym_secret = a.secret
from (
  select app_id, center_id, new_pseudonym_secret() as secret
  from (select distinct center_id, app_id from api_keys) applications
) a
where k.center_id = a.center_id and k.app_id = a.app_id;

alter table api_keys alter column pseudonym_secret set not null;
alter table api_keys add constraint api_keys_pseudonym_secret_check check (octet_length(pseudonym_secret) = 32);

-- Whoever writes a key: the secret that its application has is kept, because another one would give other pseudonyms.
create function keep_pseudonym_secret() returns trigger
language plpgsql as $$
begin
  new.pseudonym_secret := coalesce(
    (select k.pseudonym_secret from api_keys k where k.center_id = new.center_id and k.app_id = new.app_id limit 1),
    new.pseudonym_secret,
    new_pseudonym_secret());
  return new;
end $$;

create trigger keep_pseudonym_secret before insert or update of pseudonym_secret, app_id, center_id on api_keys
  for each row execute function keep_pseudonym_secret();
