import { parse } from 'graphql';

/** IDs of the service are texts: Vendure would decode and encode values of the type ID. */
export const adminSchema = parse(`
  type TributaryCheck {
    check: String!
    passed: Boolean!
    evidence: String
  }

  type TributaryReport {
    orderCode: String!
    operation: String!
    status: String!
    reason: String
    message: String
    failures: Int!
    createdAt: DateTime!
  }

  "The health of the integration: the connection, the checks of the service, and the queue of reports."
  type TributaryHealth {
    problem: String
    url: String
    storeId: String
    storeName: String
    checks: [TributaryCheck!]!
    waiting: Int!
    refused: Int!
    accepted: Int!
    waitingSince: DateTime
    "Reports that wait or were rejected, newest first."
    open: [TributaryReport!]!
  }

  type TributaryCommission {
    id: String!
    state: String!
    creatorId: String!
    creatorName: String
    explanation: String
    creditedCode: String
    amountCents: Int!
  }

  type TributaryOrder {
    reports: [TributaryReport!]!
    commission: TributaryCommission
    problem: String
  }

  type TributaryCode {
    id: String!
    code: String!
    status: String!
    creatorName: String
  }

  type TributaryCreator {
    creatorId: String!
    creatorName: String
    programId: String!
    programName: String
  }

  type TributaryPromotion {
    code: TributaryCode
    creators: [TributaryCreator!]!
  }

  type TributaryCodesChecked {
    linked: Int!
    created: Int!
    changed: Int!
  }

  extend type Query {
    tributary: TributaryHealth!
    "What was reported about an order, and what it earned."
    tributaryOrder(orderId: ID!): TributaryOrder!
    "The creator whose discount code the promotion is, or the creators that it can be given to."
    tributaryPromotion(promotionId: ID!): TributaryPromotion!
  }

  extend type Mutation {
    "Reports a test order and its refund, and returns the reason of the response."
    runTributaryTestOrder: String!
    "Looks at the discount codes of creators now."
    checkTributaryCodes: TributaryCodesChecked!
    "Sends waiting reports now, and returns how many there are."
    sendTributaryReports: Int!
    "Makes the coupon code of a promotion the discount code of a creator."
    giveTributaryCode(promotionId: ID!, creatorId: String!, programId: String!): TributaryCode!
  }
`);

export const shopSchema = parse(`
  extend type Mutation {
    "Keeps the click with the active order, and returns it. Without a value, removes it. Returns null if there is no active order."
    setTributaryClick(clickId: String): String
  }
`);
