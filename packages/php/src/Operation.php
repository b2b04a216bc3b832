<?php

declare(strict_types=1);

namespace Tributary;

/** The operations of the postback interface. */
enum Operation: string
{
    case Conversion = 'conversion';
    case Reversal = 'reversal';
    case Relationship = 'relationship';
    case BillingEvent = 'billing_event';
    case InvoiceReversal = 'invoice_reversal';
    case RelationshipEnd = 'relationship_end';

    private const EVENT = ['event_id', 'relationship_id', 'environment', 'occurred_at'];

    public function path(): string
    {
        return match ($this) {
            self::Conversion => 'conversions',
            self::Reversal => 'reversals',
            self::Relationship => 'v2/recurring/relationships',
            self::BillingEvent => 'v2/recurring/billing-events',
            self::InvoiceReversal => 'v2/recurring/reversals',
            self::RelationshipEnd => 'v2/recurring/relationships/end',
        };
    }

    /** @return list<string> */
    public function fields(): array
    {
        return match ($this) {
            self::Conversion => [
                'order_id', 'click_id', 'currency', 'order_subtotal_cents', 'occurred_at', 'eligible_amount_cents',
                'line_items', 'order_name', 'customer_id', 'discount_code', 'metadata', 'test',
            ],
            self::Reversal => ['order_id', 'occurred_at', 'reason'],
            self::Relationship => [...self::EVENT, 'click_id', 'product_id', 'price_id', 'currency'],
            self::BillingEvent => [
                ...self::EVENT, 'invoice_id', 'payment_state', 'amount_paid_minor_units', 'eligible_amount_minor_units',
                'product_id', 'price_id', 'currency',
            ],
            self::InvoiceReversal => [...self::EVENT, 'invoice_id', 'reason'],
            self::RelationshipEnd => [...self::EVENT, 'reason'],
        };
    }

    /** The service needs the time of these. Of the others it uses the time of receipt. */
    public function needsTime(): bool
    {
        return $this === self::Conversion || $this === self::BillingEvent;
    }

    /** @return array{string, string} the field that identifies a report, and the field whose reports are sent in order */
    public function keyFields(): array
    {
        return match ($this) {
            self::Conversion, self::Reversal => ['order_id', 'order_id'],
            default => ['event_id', 'relationship_id'],
        };
    }
}
