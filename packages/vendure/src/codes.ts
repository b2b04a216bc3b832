import { LanguageCode } from '@vendure/common/lib/generated-types';
import { isGraphQlErrorResult, Promotion, type PromotionService, type ID, type RequestContext } from '@vendure/core';
import type { DiscountCode } from '@tributary/node/api-types';
import { codeOf, creatorsOf, giveCode, syncCodes, type Synced } from '@tributary/node/plugin-codes';
import { IsNull, Raw } from 'typeorm';
import { TributaryCode } from './entities.ts';
import type { Tributary, TributaryOptions } from './tributary.ts';

const lockNumber = 7_116_841;

type Discount = NonNullable<TributaryOptions['codeDiscount']>;
type Link = { readonly codeId: string; readonly isCreated: boolean };

/** Brings the promotions of Vendure and the discount codes of creators together. */
export class Codes {
  readonly #tributary: Tributary;
  readonly #promotions: PromotionService;

  constructor(tributary: Tributary, promotions: PromotionService) {
    this.#tributary = tributary;
    this.#promotions = promotions;
  }

  /** One process at a time: two would create two promotions for one code, and its discount would count twice. */
  async sync(ctx: RequestContext): Promise<Synced> {
    const { connection, database, options } = this.#tributary;
    const { codeDiscount } = options;
    const connected = await connection.connect();
    const synced = await database.rawConnection.transaction(async (manager) => {
      await manager.query('select pg_advisory_xact_lock($1)', [lockNumber]);
      return syncCodes(connected, {
        find: (code) => this.#find(ctx, code),
        link: (id, code) => this.#link(id, code),
        setActive: (id, isActive) => this.#setActive(ctx, id, isActive),
        create: codeDiscount === undefined ? null : (code) => this.#create(ctx, code, codeDiscount),
      });
    });
    this.#tributary.noteCodes();
    return synced;
  }

  /** The other direction: the coupon code of a promotion becomes the discount code of a creator. */
  async give(ctx: RequestContext, id: ID, owner: { readonly creator_id: string; readonly program_id: string }): Promise<DiscountCode> {
    const promotion = await this.#promotions.findOne(ctx, id);
    if (!promotion?.couponCode) throw new Error('The promotion has no coupon code.');
    const code = await giveCode(await this.#tributary.connection.connect(), promotion.couponCode, owner);
    await this.#link(String(promotion.id), code);
    return code;
  }

  /** The creator whose discount code the promotion is, and otherwise the creators that it can be given to. */
  async ofPromotion(id: ID) {
    const connected = await this.#tributary.connection.connect();
    const link = await this.#linkOf(String(id));
    if (link !== null) return { code: await codeOf(connected, link.codeId), creators: [] };
    return { code: null, creators: await creatorsOf(connected) };
  }

  async #find(ctx: RequestContext, { id: codeId, code }: DiscountCode) {
    // A promotion that an administrator deleted is not created again.
    const [linked] = await this.#tributary.sql('select promotion_id from tributary_code where id = ?', [codeId]);
    const where = linked
      ? { id: String(linked['promotion_id']) }
      : { couponCode: Raw((column) => `lower(${column}) = lower(:code)`, { code }), deletedAt: IsNull() };
    const promotion = await this.#tributary.database.getRepository(ctx, Promotion).findOne({ where, loadEagerRelations: false });
    if (promotion === null) return linked ? { id: '', codeId, isCreated: false, isActive: false } : null;
    const link = await this.#linkOf(String(promotion.id));
    const isCreated = link?.isCreated === true && promotion.deletedAt === null;
    return { id: String(promotion.id), codeId: link?.codeId ?? null, isCreated, isActive: promotion.enabled };
  }

  async #linkOf(promotionId: string): Promise<Link | null> {
    const [row] = await this.#tributary.sql('select id, is_created from tributary_code where promotion_id = ?', [promotionId]);
    return row === undefined ? null : { codeId: String(row['id']), isCreated: row['is_created'] === true };
  }

  /** A promotion that an administrator created. */
  async #link(promotionId: string, { id, code }: DiscountCode): Promise<void> {
    await this.#tributary.sql('delete from tributary_code where promotion_id = ?', [promotionId]);
    await this.#tributary.sql(
      `insert into tributary_code (id, code, promotion_id, is_created) values (?, ?, ?, false)
       on conflict (id) do update set promotion_id = excluded.promotion_id, is_created = excluded.is_created`,
      [id, code, promotionId],
    );
  }

  async #setActive(ctx: RequestContext, promotionId: string, isActive: boolean): Promise<void> {
    // Of the type that the project chose: a number that is a text would be saved as a new promotion.
    const { id } = await this.#tributary.database.getEntityOrThrow(ctx, Promotion, promotionId);
    await this.#promotions.updatePromotion(ctx, { id, enabled: isActive });
  }

  /** In one transaction: without its link, the promotion would look like one of an administrator, and stay after a removal. */
  async #create(outer: RequestContext, { id, code }: DiscountCode, { type, value }: Discount): Promise<void> {
    const { database } = this.#tributary;
    await database.withTransaction(outer, async (ctx) => {
      const created = await this.#promotions.createPromotion(ctx, {
        enabled: true,
        couponCode: code,
        translations: [{ languageCode: LanguageCode.en, name: code, description: '' }],
        conditions: [],
        actions: [
          {
            code: type === 'percentage' ? 'order_percentage_discount' : 'order_fixed_discount',
            arguments: [{ name: 'discount', value: String(value) }],
          },
        ],
      });
      if (isGraphQlErrorResult(created)) throw new Error(created.message);
      await database.getRepository(ctx, TributaryCode).insert({ id, code, promotionId: String(created.id), isCreated: true });
    });
  }
}
