import { Column, CreateDateColumn, Entity, Generated, Index, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** One row: the store that the API key belongs to, and the plugin's own postback key. */
@Entity('tributary_connection')
export class TributaryConnection {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  url!: string;

  @Column('text', { name: 'store_id' })
  storeId!: string;

  @Column('text', { name: 'store_name' })
  storeName!: string;

  @Column('text', { name: 'tracking_key' })
  trackingKey!: string;

  @Column('text', { name: 'postback_key_id' })
  postbackKeyId!: string;

  /** Sealed with the API key: a copy of the database alone can report nothing. */
  @Column('text', { name: 'sealed_postback_key' })
  sealedPostbackKey!: string;

  /** Orders that were paid, refunded, or canceled until then are reported. */
  @Column('timestamptz', { name: 'checked_until' })
  checkedUntil!: Date;

  /** When a process began the last comparison of orders with their reports. */
  @Column('timestamptz', { name: 'check_began_at', nullable: true })
  checkBeganAt!: Date | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at' })
  updatedAt!: Date;
}

/** A report that is sent or waits to be sent, under the ID that the queue gives it. */
@Entity('tributary_report')
@Index(['lane', 'number'], { where: `"status" = 'waiting'` })
export class TributaryReport {
  @PrimaryColumn('text')
  id!: string;

  @Generated('increment')
  @Column('bigint')
  number!: string;

  @Index()
  @Column('text', { name: 'order_id' })
  orderId!: string;

  /** Waiting reports of one lane are sent in the order of their numbers. */
  @Column('text', { nullable: true })
  lane!: string | null;

  @Column('text')
  operation!: string;

  @Column('text')
  body!: string;

  /** `waiting`, `accepted`, or `refused`. */
  @Column('text', { default: 'waiting' })
  status!: string;

  @Column('timestamptz', { name: 'due_at' })
  dueAt!: Date;

  @Column('int', { default: 0 })
  failures!: number;

  /** Of the last response. */
  @Column('text', { nullable: true })
  reason!: string | null;

  @Column('text', { nullable: true })
  message!: string | null;

  @Column('text', { name: 'request_id', nullable: true })
  requestId!: string | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at' })
  updatedAt!: Date;
}

/** A discount code of a creator and the promotion that it was linked to. */
@Entity('tributary_code')
export class TributaryCode {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  code!: string;

  @Index()
  @Column('text', { name: 'promotion_id' })
  promotionId!: string;

  /** The plugin activates, deactivates, and removes only promotions that it created. */
  @Column('boolean', { name: 'is_created' })
  isCreated!: boolean;
}
