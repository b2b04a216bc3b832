import { Inject } from '@nestjs/common';
import { Args, Mutation, Resolver } from '@nestjs/graphql';
import { ActiveOrderService, Allow, Ctx, OrderService, Permission, Transaction, type RequestContext } from '@vendure/core';
import { isClickId } from '@tributary/node/click';
import { GraphQLError } from 'graphql';
import { clickField, clickOf } from './load-order.ts';

@Resolver()
export class TributaryShopResolver {
  readonly #activeOrders: ActiveOrderService;
  readonly #orders: OrderService;

  constructor(@Inject(ActiveOrderService) activeOrders: ActiveOrderService, @Inject(OrderService) orders: OrderService) {
    this.#activeOrders = activeOrders;
    this.#orders = orders;
  }

  /** The storefront calls it when the shopper has consented, and without a value when consent is withdrawn. */
  @Mutation()
  @Transaction()
  @Allow(Permission.Owner)
  async setTributaryClick(@Ctx() ctx: RequestContext, @Args('clickId') clickId?: string | null): Promise<string | null> {
    const click = clickId ?? null;
    if (click !== null && !isClickId(click)) throw new GraphQLError('clickId must be a click ID or null.');
    const order = await this.#activeOrders.getActiveOrder(ctx, undefined);
    if (order === undefined) return null;
    if (clickOf(order) !== click) await this.#orders.updateCustomFields(ctx, order.id, { [clickField]: click });
    return click;
  }
}
