import { Inject } from '@nestjs/common';
import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';
import { Allow, Ctx, Order, Permission, type ID, type RequestContext } from '@vendure/core';
import type { DiscountCode } from '@tributary/node/api-types';
import type { Row } from '@tributary/node/plugin-connection';
import { commissionOf, integrationOf, messageOf } from '@tributary/node/plugin-connection';
import { makeReportsDue, reportsHealth, reportsOfOrder } from '@tributary/node/plugin-reports';
import { GraphQLError } from 'graphql';
import { Codes } from './codes.ts';
import { runTestOrder } from './test-order.ts';
import { Tributary } from './tributary.ts';

type Given = { readonly promotionId: ID; readonly creatorId: string; readonly programId: string };

@Resolver()
export class TributaryAdminResolver {
  readonly #tributary: Tributary;
  readonly #codes: Codes;

  constructor(@Inject(Tributary) tributary: Tributary, @Inject(Codes) codes: Codes) {
    this.#tributary = tributary;
    this.#codes = codes;
  }

  @Query()
  @Allow(Permission.ReadSettings)
  async tributary() {
    const { connection, options, sql } = this.#tributary;
    const [{ problem, store, checks }, { open, ...counts }] = await Promise.all([integrationOf(connection), reportsHealth(sql)]);
    const { waiting, refused, accepted, waiting_since: waitingSince }: Row = counts;
    const reports = { waiting, refused, accepted, waitingSince, open: open.map(reportOf) };
    return { problem, url: options.url ?? null, storeId: store?.id ?? null, storeName: store?.name ?? null, checks, ...reports };
  }

  @Query()
  @Allow(Permission.ReadOrder)
  async tributaryOrder(@Ctx() ctx: RequestContext, @Args('orderId') orderId: ID) {
    const { connection, database, sql } = this.#tributary;
    const { code } = await database.getEntityOrThrow(ctx, Order, orderId, { channelId: ctx.channelId });
    const reports = await reportsOfOrder(sql, code);
    if (reports.length === 0) return { reports: [], commission: null, problem: null };
    const { commission, problem } = await commissionOf(connection, code);
    return {
      reports: reports.map((row) => reportOf({ ...row, order_id: code })),
      commission: commission && inCamelCase(commission),
      problem,
    };
  }

  @Query()
  @Allow(Permission.ReadPromotion)
  async tributaryPromotion(@Args('promotionId') promotionId: ID) {
    const { code, creators } = await answerOf(this.#codes.ofPromotion(promotionId));
    return { code: code && partOf(code), creators: creators.map(inCamelCase) };
  }

  @Mutation()
  @Allow(Permission.UpdateSettings)
  runTributaryTestOrder() {
    return answerOf(runTestOrder(this.#tributary));
  }

  @Mutation()
  @Allow(Permission.UpdatePromotion)
  checkTributaryCodes(@Ctx() ctx: RequestContext) {
    return answerOf(this.#codes.sync(ctx));
  }

  @Mutation()
  @Allow(Permission.UpdateSettings)
  sendTributaryReports() {
    return makeReportsDue(this.#tributary.sql);
  }

  @Mutation()
  @Allow(Permission.UpdatePromotion)
  async giveTributaryCode(@Ctx() ctx: RequestContext, @Args() { promotionId, creatorId, programId }: Given) {
    const owner = { creator_id: creatorId, program_id: programId };
    return partOf(await answerOf(this.#codes.give(ctx, promotionId, owner)));
  }
}

/** An error of the service becomes an answer with its message instead of an internal error. */
async function answerOf<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    throw new GraphQLError(messageOf(error));
  }
}

const reportOf = ({ order_id: orderCode, operation, status, reason, message, failures, created_at: createdAt }: Row) => ({
  orderCode,
  operation,
  status,
  reason,
  message,
  failures,
  createdAt,
});

const partOf = ({ id, code, status, creator_name: creatorName }: DiscountCode) => ({ id, code, status, creatorName });

const inCamelCase = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()), value]),
  );
