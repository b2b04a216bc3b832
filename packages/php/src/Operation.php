<?php

declare(strict_types=1);

namespace Tributary;

/** The operations of the postback interface. */
enum Operation: string
{
    case Conversion = 'conversion';
    case Reversal = 'reversal';
    case OrderRefund = 'order_refund';
    case Relationship = 'relationship';
    case BillingEvent = 'billing_event';
    case InvoiceReversal = 'invoice_reversal';
    case InvoiceRefund = 'invoice_refund';
    case RelationshipEnd = 'relationship_end';
    case Lead = 'lead';
    case LeadReversal = 'lead_reversal';

    private const EVENT = ['event_id', 'relationship_id', 'environment', 'occurred_at'];

    public function path(): string
    {
        return match ($this) {
            self::Conversion => 'conversions',
            self::Reversal => 'reversals',
            self::OrderRefund => 'v2/orders/refunds',
            self::Relationship => 'v2/recurring/relationships',
            self::BillingEvent => 'v2/recurring/billing-events',
            self::InvoiceReversal => 'v2/recurring/reversals',
            self::InvoiceRefund => 'v2/recurring/invoices/refunds',
            self::RelationshipEnd => 'v2/recurring/relationships/end',
            self::Lead => 'v2/leads',
            self::LeadReversal => 'v2/leads/reversals',
        };
    }

    /** @return list<string> */
    public function fields(): array
    {
        return match ($this) {
            self::Conversion => [
                'order_id', 'click_id', 'currency', 'order_subtotal_cents', 'occurred_at', 'eligible_amount_cents',
                'line_items', 'order_name', 'customer_id', 'discount_code', 'discount_codes', 'country',
                'metadata', 'test',
            ],
            self::Reversal => ['order_id', 'occurred_at', 'reason'],
            self::OrderRefund => ['refund_id', 'order_id', 'amount_cents', 'line_items', 'occurred_at', 'reason'],
            self::Relationship => [
                ...self::EVENT, 'click_id', 'product_id', 'price_id', 'currency', 'discount_code', 'discount_codes', 'customer_id',
            ],
            self::BillingEvent => [
                ...self::EVENT, 'invoice_id', 'payment_state', 'amount_paid_minor_units', 'eligible_amount_minor_units',
                'product_id', 'price_id', 'currency',
            ],
            self::InvoiceReversal => [...self::EVENT, 'invoice_id', 'reason'],
            self::InvoiceRefund => [
                'refund_id', 'relationship_id', 'invoice_id', 'amount_minor_units', 'line_items', 'environment', 'occurred_at', 'reason',
            ],
            self::RelationshipEnd => [...self::EVENT, 'reason'],
            self::Lead => ['lead_id', 'kind', 'click_id', 'discount_code', 'customer_id', 'occurred_at', 'metadata'],
            self::LeadReversal => ['lead_id', 'occurred_at', 'reason'],
        };
    }

    /** The service needs the time of these. Of the others it uses the time of receipt. */
    public function needsTime(): bool
    {
        return in_array($this, [self::Conversion, self::BillingEvent, self::OrderRefund, self::Lead], true);
    }

    /** @return array{string, string} the field that identifies a report, and the field whose reports are sent in order */
    public function keyFields(): array
    {
        return match ($this) {
            self::Conversion, self::Reversal => ['order_id', 'order_id'],
            self::OrderRefund => ['refund_id', 'order_id'],
            self::InvoiceRefund => ['refund_id', 'relationship_id'],
            self::Lead, self::LeadReversal => ['lead_id', 'lead_id'],
            default => ['event_id', 'relationship_id'],
        };
    }
}
