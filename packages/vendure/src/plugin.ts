import { Inject, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import {
  ConfigService,
  EventBus,
  Logger,
  OrderStateTransitionEvent,
  PaymentStateTransitionEvent,
  PluginCommonModule,
  PromotionService,
  RefundStateTransitionEvent,
  RequestContextService,
  TransactionalConnection,
  VendurePlugin,
  type ID,
  type RuntimeVendureConfig,
} from '@vendure/core';
import { TributaryAdminResolver } from './admin-api.ts';
import { Codes } from './codes.ts';
import { TributaryCode, TributaryConnection, TributaryReport } from './entities.ts';
import { clickField } from './load-order.ts';
import { reportMissedOrders, reportOrder } from './report-orders.ts';
import { adminSchema, shopSchema } from './schema.ts';
import { TributaryShopResolver } from './shop-api.ts';
import { logContext, logError, Tributary, type TributaryOptions } from './tributary.ts';

const turnMs = 15_000;
const codesAgeMsMax = 900_000;

/** Reports the orders of a Vendure server to Tributary. */
@VendurePlugin({
  imports: [PluginCommonModule],
  compatibility: '^3.5.0',
  entities: [TributaryConnection, TributaryReport, TributaryCode],
  providers: [
    {
      provide: Tributary,
      inject: [TransactionalConnection, RequestContextService],
      useFactory: (database: TransactionalConnection, contexts: RequestContextService) =>
        new Tributary(database, contexts, TributaryPlugin.options),
    },
    {
      provide: Codes,
      inject: [Tributary, PromotionService],
      useFactory: (tributary: Tributary, promotions: PromotionService) => new Codes(tributary, promotions),
    },
  ],
  adminApiExtensions: { schema: adminSchema, resolvers: [TributaryAdminResolver] },
  shopApiExtensions: { schema: shopSchema, resolvers: [TributaryShopResolver] },
  // A literal, because the build of Vendure's dashboard reads it from this file.
  dashboard: '../dashboard/index.tsx',
  configuration: withClickField,
})
export class TributaryPlugin implements OnApplicationBootstrap, OnApplicationShutdown {
  static options: TributaryOptions = {};
  /** Whether this process only removes what the plugin stored. */
  static isRemoving = false;
  readonly #tributary: Tributary;
  readonly #codes: Codes;
  readonly #events: EventBus;
  readonly #config: ConfigService;
  #stop: () => Promise<void> = async () => {};

  constructor(
    @Inject(Tributary) tributary: Tributary,
    @Inject(Codes) codes: Codes,
    @Inject(EventBus) events: EventBus,
    @Inject(ConfigService) config: ConfigService,
  ) {
    this.#tributary = tributary;
    this.#codes = codes;
    this.#events = events;
    this.#config = config;
  }

  static init(options: TributaryOptions): typeof TributaryPlugin {
    TributaryPlugin.options = options;
    return TributaryPlugin;
  }

  onApplicationBootstrap(): void {
    const problem = this.#tributary.problem(this.#config.entityOptions.moneyStrategy.precision);
    if (problem !== null) Logger.warn(problem, logContext);
    if (problem === null && !TributaryPlugin.isRemoving) this.#start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.#stop();
  }

  /** Every process sends reports and looks for missed ones: locks keep them from doing the same twice. */
  #start(): void {
    const { queue } = this.#tributary;
    const look = (id: ID): void => void reportOrder(this.#tributary, this.#codes, id).catch(logError);
    const subscriptions = [
      this.#events.ofType(OrderStateTransitionEvent).subscribe(({ order }) => look(order.id)),
      this.#events.ofType(PaymentStateTransitionEvent).subscribe(({ order }) => look(order.id)),
      this.#events.ofType(RefundStateTransitionEvent).subscribe(({ order }) => look(order.id)),
    ];
    const turn = (): void => void this.#turn().catch(logError);
    const timer = setInterval(turn, turnMs);
    timer.unref();
    turn();
    queue.start();
    this.#stop = async () => {
      clearInterval(timer);
      for (const subscription of subscriptions) subscription.unsubscribe();
      await queue.stop();
    };
  }

  async #turn(): Promise<void> {
    await reportMissedOrders(this.#tributary, this.#codes);
    await this.#tributary.connection.connect();
    if (this.#tributary.areCodesOld(codesAgeMsMax)) await this.#codes.sync(await this.#tributary.context());
  }
}

/** The click of an order, which no API shows. The storefront writes it with a mutation of the plugin. */
function withClickField(config: RuntimeVendureConfig): RuntimeVendureConfig {
  config.customFields.Order.push({
    name: clickField,
    type: 'string',
    nullable: true,
    internal: true,
  });
  return config;
}
