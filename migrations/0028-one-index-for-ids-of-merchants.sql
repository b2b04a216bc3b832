-- What is found by the merchant's id, whole or in part, goes by commissions_by_day now.
drop index commissions_by_beginning;
