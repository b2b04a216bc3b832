import { Migration } from '@medusajs/framework/mikro-orm/migrations';

export class Migration20261126090736 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `create table if not exists "tributary_connection" ("id" text not null, "url" text not null, "store_id" text not null, "store_name" text not null, "tracking_key" text not null, "postback_key_id" text not null, "sealed_postback_key" text not null, "checked_until" timestamptz not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "tributary_connection_pkey" primary key ("id"));`,
    );
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_tributary_connection_deleted_at" ON "tributary_connection" ("deleted_at") WHERE deleted_at IS NULL;`,
    );

    this.addSql(
      `create table if not exists "tributary_report" ("id" text not null, "number" serial, "order_id" text not null, "lane" text null, "operation" text not null, "body" text not null, "status" text check ("status" in ('waiting', 'accepted', 'refused')) not null default 'waiting', "due_at" timestamptz not null, "failures" integer not null default 0, "reason" text null, "message" text null, "request_id" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "tributary_report_pkey" primary key ("id"));`,
    );
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_tributary_report_deleted_at" ON "tributary_report" ("deleted_at") WHERE deleted_at IS NULL;`,
    );
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_tributary_report_order_id" ON "tributary_report" ("order_id") WHERE deleted_at IS NULL;`);
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_tributary_report_lane_number" ON "tributary_report" ("lane", "number") WHERE status = 'waiting' AND deleted_at IS NULL;`,
    );
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_tributary_report_due_at" ON "tributary_report" ("due_at") WHERE status = 'waiting' AND deleted_at IS NULL;`,
    );
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists "tributary_connection" cascade;`);

    this.addSql(`drop table if exists "tributary_report" cascade;`);
  }
}
