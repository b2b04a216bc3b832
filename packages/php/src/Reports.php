<?php

declare(strict_types=1);

namespace Tributary;

use DateTimeInterface;

/**
 * The reports, independent of whether they are sent immediately or queued. Amounts are whole cents. A time is a DateTimeInterface, or
 * ISO 8601 text with an offset. Null means that a field is absent.
 *
 * @template Outcome
 */
abstract class Reports
{
    /**
     * @param array<string, mixed> $fields
     * @return Outcome
     */
    abstract protected function deliver(Operation $operation, array $fields): mixed;

    /**
     * Reports a paid order. `occurredAt` is the time of payment; set it if your code may report the same order twice. With
     * `discountCodes` (even an empty list) an order without a click is sent too: set it if your program credits discount codes or
     * returning customers.
     *
     * @param ?list<array{product_id: string, amount_minor_units: int, quantity: int}> $lineItems the amount of a line is its total
     * @param ?list<string> $discountCodes
     * @param ?array<string, mixed> $metadata
     * @return Outcome
     */
    public function recordConversion(
        string $orderId,
        ?string $clickId,
        int $orderSubtotalCents,
        DateTimeInterface|string|null $occurredAt = null,
        ?string $currency = null,
        ?int $eligibleAmountCents = null,
        ?array $lineItems = null,
        ?string $orderName = null,
        ?string $customerId = null,
        ?string $discountCode = null,
        ?array $discountCodes = null,
        ?array $metadata = null,
        ?bool $test = null,
        ?string $country = null,
    ): mixed {
        return $this->deliver(Operation::Conversion, [
            'order_id' => $orderId,
            'click_id' => $clickId,
            'order_subtotal_cents' => $orderSubtotalCents,
            'occurred_at' => $occurredAt,
            'currency' => $currency,
            'eligible_amount_cents' => $eligibleAmountCents,
            'line_items' => $lineItems,
            'order_name' => $orderName,
            'customer_id' => $customerId,
            'discount_code' => $discountCode,
            'discount_codes' => $discountCodes,
            'country' => $country,
            'metadata' => $metadata,
            'test' => $test,
        ]);
    }

    /**
     * Reports that an order was refunded in full, or cancelled.
     *
     * @return Outcome
     */
    public function reverseConversion(
        string $orderId,
        DateTimeInterface|string|null $occurredAt = null,
        ?string $reason = null,
    ): mixed {
        return $this->deliver(Operation::Reversal, ['order_id' => $orderId, 'occurred_at' => $occurredAt, 'reason' => $reason]);
    }

    /**
     * Reports a partial refund, by amount or by lines. `refundId` is unique, and the same each time the same refund is reported. Set
     * `occurredAt` if your code may report it twice.
     *
     * @param ?list<array{product_id: string, amount_minor_units: int, quantity?: int}> $lineItems
     * @return Outcome
     */
    public function refundConversion(
        string $refundId,
        string $orderId,
        ?int $amountCents = null,
        ?array $lineItems = null,
        DateTimeInterface|string|null $occurredAt = null,
        ?string $reason = null,
    ): mixed {
        return $this->deliver(Operation::OrderRefund, [
            'refund_id' => $refundId,
            'order_id' => $orderId,
            'amount_cents' => $amountCents,
            'line_items' => $lineItems,
            'occurred_at' => $occurredAt,
            'reason' => $reason,
        ]);
    }

    /**
     * Reports a new subscription. `eventId` is unique, and the same each time the same event is reported. With `discountCodes` (even an
     * empty list), a subscription without a click is sent too, as for an order.
     *
     * @param list<string>|null $discountCodes
     * @return Outcome
     */
    public function bindSubscription(
        string $eventId,
        string $relationshipId,
        ?string $clickId,
        string $productId,
        ?string $priceId = null,
        ?string $currency = null,
        ?string $environment = null,
        DateTimeInterface|string|null $occurredAt = null,
        ?string $discountCode = null,
        ?array $discountCodes = null,
        ?string $customerId = null,
    ): mixed {
        return $this->deliver(Operation::Relationship, [
            'event_id' => $eventId,
            'relationship_id' => $relationshipId,
            'click_id' => $clickId,
            'product_id' => $productId,
            'price_id' => $priceId,
            'currency' => $currency,
            'environment' => $environment,
            'occurred_at' => $occurredAt,
            'discount_code' => $discountCode,
            'discount_codes' => $discountCodes,
            'customer_id' => $customerId,
        ]);
    }

    /**
     * Reports an invoice, paid or not.
     *
     * @param 'paid'|'failed'|'open'|'void'|'uncollectible' $paymentState
     * @return Outcome
     */
    public function billSubscription(
        string $eventId,
        string $relationshipId,
        string $invoiceId,
        string $paymentState,
        int $amountPaidMinorUnits,
        string $productId,
        ?int $eligibleAmountMinorUnits = null,
        ?string $priceId = null,
        ?string $currency = null,
        ?string $environment = null,
        DateTimeInterface|string|null $occurredAt = null,
    ): mixed {
        return $this->deliver(Operation::BillingEvent, [
            'event_id' => $eventId,
            'relationship_id' => $relationshipId,
            'invoice_id' => $invoiceId,
            'payment_state' => $paymentState,
            'amount_paid_minor_units' => $amountPaidMinorUnits,
            'eligible_amount_minor_units' => $eligibleAmountMinorUnits,
            'product_id' => $productId,
            'price_id' => $priceId,
            'currency' => $currency,
            'environment' => $environment,
            'occurred_at' => $occurredAt,
        ]);
    }

    /**
     * Reports that an invoice was refunded in full.
     *
     * @return Outcome
     */
    public function reverseInvoice(
        string $eventId,
        string $relationshipId,
        string $invoiceId,
        ?string $reason = null,
        ?string $environment = null,
        DateTimeInterface|string|null $occurredAt = null,
    ): mixed {
        return $this->deliver(Operation::InvoiceReversal, [
            'event_id' => $eventId,
            'relationship_id' => $relationshipId,
            'invoice_id' => $invoiceId,
            'reason' => $reason,
            'environment' => $environment,
            'occurred_at' => $occurredAt,
        ]);
    }

    /**
     * Reports a partial refund of an invoice. `refundId` is unique, and the same each time the same refund is reported.
     *
     * @param ?list<array{product_id: string, amount_minor_units: int, quantity?: int}> $lineItems
     * @return Outcome
     */
    public function refundInvoice(
        string $refundId,
        string $relationshipId,
        string $invoiceId,
        ?int $amountMinorUnits = null,
        ?array $lineItems = null,
        ?string $reason = null,
        ?string $environment = null,
        DateTimeInterface|string|null $occurredAt = null,
    ): mixed {
        return $this->deliver(Operation::InvoiceRefund, [
            'refund_id' => $refundId,
            'relationship_id' => $relationshipId,
            'invoice_id' => $invoiceId,
            'amount_minor_units' => $amountMinorUnits,
            'line_items' => $lineItems,
            'reason' => $reason,
            'environment' => $environment,
            'occurred_at' => $occurredAt,
        ]);
    }

    /**
     * Reports that a subscription ended.
     *
     * @return Outcome
     */
    public function endSubscription(
        string $eventId,
        string $relationshipId,
        ?string $reason = null,
        ?string $environment = null,
        DateTimeInterface|string|null $occurredAt = null,
    ): mixed {
        return $this->deliver(Operation::RelationshipEnd, [
            'event_id' => $eventId,
            'relationship_id' => $relationshipId,
            'reason' => $reason,
            'environment' => $environment,
            'occurred_at' => $occurredAt,
        ]);
    }

    /**
     * Reports a sign-up, a trial, or a booked call. It is sent if it has a click or a discount code. `leadId` is unique, and the same each
     * time the same lead is reported. `kind` is named as in the terms of the program, such as `sign_up`. Set `occurredAt` if your code may
     * report the same lead twice.
     *
     * @param ?array<string, mixed> $metadata
     * @return Outcome
     */
    public function reportLead(
        string $leadId,
        string $kind,
        ?string $clickId = null,
        ?string $discountCode = null,
        ?string $customerId = null,
        DateTimeInterface|string|null $occurredAt = null,
        ?array $metadata = null,
    ): mixed {
        return $this->deliver(Operation::Lead, [
            'lead_id' => $leadId,
            'kind' => $kind,
            'click_id' => $clickId,
            'discount_code' => $discountCode,
            'customer_id' => $customerId,
            'occurred_at' => $occurredAt,
            'metadata' => $metadata,
        ]);
    }

    /**
     * Reports that a lead was not real, or was canceled.
     *
     * @return Outcome
     */
    public function reverseLead(
        string $leadId,
        DateTimeInterface|string|null $occurredAt = null,
        ?string $reason = null,
    ): mixed {
        return $this->deliver(Operation::LeadReversal, ['lead_id' => $leadId, 'occurred_at' => $occurredAt, 'reason' => $reason]);
    }
}
