-- The creators of a store can be sorted by when their status changed. Members are written when a creator joins or leaves.
create index members_by_since on members (store_id, since, member_id);
