<?php
/**
 * Turns events of WooCommerce Subscriptions into reports.
 *
 * @package Tributary\WooCommerce
 */

namespace Tributary\WooCommerce;

use Tributary\Operation;
use WC_Order;
use WC_Order_Refund;

defined( 'ABSPATH' ) || exit;

/**
 * Does nothing unless WooCommerce Subscriptions is active. A subscription earns through its invoices, so its orders are not reported as
 * one-time orders. The event ID contains the ID of the order, so an event that comes twice is one report.
 */
final class Subscription_Reports {
	public static function register(): void {
		add_action( 'woocommerce_subscription_payment_complete', array( self::class, 'report_payment' ) );
		foreach ( array( 'cancelled', 'expired' ) as $status ) {
			add_action( "woocommerce_subscription_status_$status", array( self::class, 'report_end' ) );
		}
		add_action( 'woocommerce_order_refunded', array( self::class, 'report_refund' ), 10, 2 );
		add_action( 'woocommerce_order_fully_refunded', array( self::class, 'report_reversal' ) );
	}

	/** Whether the order belongs to a subscription. */
	public static function covers( WC_Order $order ): bool {
		return array() !== self::subscriptions_of( $order );
	}

	/** Whether the order is a later payment of a subscription, whose creator the first order decided. */
	public static function is_renewal( WC_Order $order ): bool {
		return function_exists( 'wcs_order_contains_renewal' ) && wcs_order_contains_renewal( $order );
	}

	/**
	 * Reports what the subscriptions of a paid order paid. WooCommerce Subscriptions raises no event of its own for a renewal of an active
	 * subscription, such as an early one, and the creator of a first order may be known only after the event of its payment.
	 */
	public static function report_payments_of( WC_Order $order ): void {
		foreach ( self::subscriptions_of( $order ) as $subscription ) {
			self::report( $subscription, $order );
		}
	}

	/**
	 * Reports the last payment of a subscription.
	 *
	 * @param \WC_Subscription $subscription
	 */
	public static function report_payment( object $subscription ): void {
		$order = $subscription->get_last_order( 'all', array( 'parent', 'renewal' ) );
		if ( $order instanceof WC_Order ) {
			self::report( $subscription, $order );
		}
	}

	/**
	 * Binds a subscription with its first payment, and reports a payment.
	 *
	 * @param \WC_Subscription $subscription
	 */
	private static function report( object $subscription, WC_Order $order ): void {
		$first = $subscription->get_parent();
		$item  = array_values( $subscription->get_items() )[0] ?? null;
		if ( ! $first instanceof WC_Order || ! Order_Reports::is_reported( $first ) || null === $item ) {
			return;
		}
		$product = $item->get_product();
		$sku     = $product ? $product->get_sku() : '';
		$shared  = array(
			'relationship_id' => (string) $subscription->get_id(),
			'product_id'      => '' !== $sku ? $sku : (string) $item->get_product_id(),
			'currency'        => $order->get_currency(),
			'environment'     => self::environment( $first ),
		);
		Report_Sender::add(
			Operation::Relationship,
			array( ...$shared, ...Order_Reports::attribution( $first ), 'event_id' => "bind-{$subscription->get_id()}", 'occurred_at' => $first->get_date_paid() ),
			$first->get_id()
		);
		Report_Sender::add(
			Operation::BillingEvent,
			array(
				...$shared,
				'event_id'                    => "paid-{$order->get_id()}",
				'invoice_id'                  => (string) $order->get_id(),
				'payment_state'               => 'paid',
				'amount_paid_minor_units'     => Order_Reports::cents( (float) $order->get_total() ),
				'eligible_amount_minor_units' => min( Order_Reports::cents( (float) $order->get_total() ), Order_Reports::cents( (float) $order->get_subtotal() - (float) $order->get_total_discount() ) ),
				'occurred_at'                 => $order->get_date_paid(),
			),
			$first->get_id()
		);
	}

	/**
	 * Reports the end of a subscription.
	 *
	 * @param \WC_Subscription $subscription
	 */
	public static function report_end( object $subscription ): void {
		$first = $subscription->get_parent();
		if ( ! $first instanceof WC_Order || ! Order_Reports::is_reported( $first ) ) {
			return;
		}
		$id = $subscription->get_id();
		Report_Sender::add( Operation::RelationshipEnd, array( 'event_id' => "end-$id", 'relationship_id' => (string) $id, 'environment' => self::environment( $first ), 'reason' => $subscription->get_status() ), $first->get_id() );
	}

	public static function report_reversal( int $order_id ): void {
		self::with_subscription(
			$order_id,
			static fn ( WC_Order $order, WC_Order $first, string $subscription_id ) => Report_Sender::add(
				Operation::InvoiceReversal,
				array( 'event_id' => "reversal-$order_id", 'relationship_id' => $subscription_id, 'invoice_id' => (string) $order_id, 'environment' => self::environment( $first ), 'reason' => 'refunded' ),
				$first->get_id()
			)
		);
	}

	public static function report_refund( int $order_id, int $refund_id ): void {
		$refund = wc_get_order( $refund_id );
		self::with_subscription(
			$order_id,
			static function ( WC_Order $order, WC_Order $first, string $subscription_id ) use ( $refund, $refund_id, $order_id ): void {
				$cents = $refund instanceof WC_Order_Refund ? Order_Reports::refunded_cents( $order, $refund ) : 0;
				if ( $cents <= 0 || (float) $order->get_remaining_refund_amount() <= 0 ) {
					return;
				}
				Report_Sender::add(
					Operation::InvoiceRefund,
					array( 'refund_id' => "refund-$refund_id", 'relationship_id' => $subscription_id, 'invoice_id' => (string) $order_id, 'amount_minor_units' => $cents, 'environment' => self::environment( $first ), 'occurred_at' => $refund->get_date_created(), 'reason' => 'refunded' ),
					$first->get_id()
				);
			}
		);
	}

	/**
	 * Calls `$report` if the order belongs to a subscription whose first order was reported.
	 *
	 * @param callable(WC_Order, WC_Order, string): void $report Receives the order, the first order, and the subscription's ID.
	 */
	private static function with_subscription( int $order_id, callable $report ): void {
		$order        = wc_get_order( $order_id );
		$subscription = $order instanceof WC_Order ? ( self::subscriptions_of( $order )[0] ?? null ) : null;
		$first        = $subscription?->get_parent();
		if ( $first instanceof WC_Order && Order_Reports::is_reported( $first ) ) {
			$report( $order, $first, (string) $subscription->get_id() );
		}
	}

	/**
	 * The subscriptions that an order paid for.
	 *
	 * @return list<\WC_Subscription>
	 */
	private static function subscriptions_of( WC_Order $order ): array {
		return function_exists( 'wcs_get_subscriptions_for_order' ) ? array_values( wcs_get_subscriptions_for_order( $order, array( 'order_type' => array( 'parent', 'renewal' ) ) ) ) : array();
	}

	private static function environment( WC_Order $first ): string {
		return str_starts_with( Order_Reports::click( $first ), 'rmv_' ) ? 'test' : 'live';
	}
}
