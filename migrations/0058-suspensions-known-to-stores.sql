-- Which of a store's creators are suspended, copied from the creators' tables: in a cluster, a postback reads only its store's node.
create table suspended_creators (
  store_id uuid not null,
  creator_id uuid not null,
  suspended_at timestamptz not null,
  primary key (store_id, creator_id)
);

-- The value of suspended_at that the creator's stores have. It differs until a change is copied.
alter table creators add column suspension_copied_at timestamptz;
create index creators_with_uncopied_suspension on creators (creator_id) where suspended_at is distinct from suspension_copied_at;

insert into suspended_creators (store_id, creator_id, suspended_at)
select creator_stores.store_id, creator_stores.creator_id, creators.suspended_at
from creators join creator_stores on creator_stores.creator_id = creators.creator_id
where creators.suspended_at is not null;
update creators set suspension_copied_at = suspended_at where suspended_at is not null;
