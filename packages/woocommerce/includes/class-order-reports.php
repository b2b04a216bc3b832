<?php
/**
 * Turns events of orders into reports.
 *
 * @package Tributary\WooCommerce
 */

namespace Tributary\WooCommerce;

use Tributary\Operation;
use WC_Order;
use WC_Order_Item_Product;
use WC_Order_Refund;

defined( 'ABSPATH' ) || exit;

/**
 * Reports what the shopper paid for products: after discounts, without shipping and tax. An order is reported if it has a click or the
 * coupon of a creator, or if the shop owner chose to report every order.
 */
final class Order_Reports {
	/** On orders without a click that were reported, so that their refunds are reported too. */
	public const REPORTED = '_tributary_reported';
	/** Looks for creators' codes among the coupons of a paid order. */
	public const CHECK = 'tributary_check_order';

	private const LINES_MAX = 200;
	private const CODES_MAX = 20;
	// Orders of a few minutes share one look at the codes.
	private const CHECK_AFTER = 5 * MINUTE_IN_SECONDS;
	// An older order is not looked at any more, for example after the shop was disconnected for long.
	private const CHECK_UNTIL = 30 * DAY_IN_SECONDS;

	public static function register(): void {
		add_action( self::CHECK, array( self::class, 'check_codes' ) );
		// An order that is marked as paid by hand, such as a bank transfer, changes its status only.
		foreach ( array( 'woocommerce_payment_complete', 'woocommerce_order_status_processing', 'woocommerce_order_status_completed' ) as $event ) {
			add_action( $event, array( self::class, 'report_paid' ) );
		}
		add_action( 'woocommerce_order_status_cancelled', array( self::class, 'report_cancelled' ) );
		add_action( 'woocommerce_order_refunded', array( self::class, 'report_refund' ), 10, 2 );
		add_action( 'woocommerce_order_fully_refunded', array( self::class, 'report_cancelled' ) );
	}

	public static function report_paid( int $order_id ): void {
		$order = self::paid( $order_id );
		if ( null === $order ) {
			return;
		}
		// The first order decided whether it earns.
		if ( Subscription_Reports::is_renewal( $order ) ) {
			Subscription_Reports::report_payments_of( $order );
			return;
		}
		$is_reported = self::is_reported( $order ) || Settings::reports_every_order() || Coupons::include_creators( $order->get_coupon_codes() );
		if ( ! $is_reported ) {
			self::check_later( $order );
			return;
		}
		if ( '' === self::click( $order ) ) {
			$order->update_meta_data( self::REPORTED, 'yes' );
			$order->save_meta_data();
		}
		if ( Subscription_Reports::covers( $order ) ) {
			Subscription_Reports::report_payments_of( $order );
			return;
		}
		Report_Sender::add( Operation::Conversion, self::conversion( $order ), $order->get_id() );
	}

	/** Reports an order if one of its coupons is the code of a creator that the shop did not know when the order was paid. */
	public static function check_codes( int $order_id ): void {
		$order = self::paid( $order_id );
		$paid  = $order?->get_date_paid()->getTimestamp() ?? 0;
		if ( null === $order || $paid < time() - self::CHECK_UNTIL ) {
			return;
		}
		if ( ! Code_Sync::ran_after( $paid ) && is_wp_error( Code_Sync::run() ) ) {
			self::check_later( $order );
			return;
		}
		if ( Coupons::include_creators( $order->get_coupon_codes() ) ) {
			self::report_paid( $order_id );
		}
	}

	/** Whether the order has a click, or was reported without one. */
	public static function is_reported( WC_Order $order ): bool {
		return '' !== self::click( $order ) || 'yes' === $order->get_meta( self::REPORTED );
	}

	/**
	 * The fields of the report of a paid order.
	 *
	 * @return array<string, mixed>
	 */
	public static function conversion( WC_Order $order ): array {
		$lines   = self::lines( $order );
		$country = '' !== $order->get_shipping_country() ? $order->get_shipping_country() : $order->get_billing_country();
		return array(
			'order_id'             => (string) $order->get_id(),
			'currency'             => $order->get_currency(),
			'order_subtotal_cents' => array_sum( array_column( $lines, 'amount_minor_units' ) ),
			'line_items'           => $lines && count( $lines ) <= self::LINES_MAX ? $lines : null,
			'occurred_at'          => $order->get_date_paid(),
			'order_name'           => '#' . $order->get_order_number(),
			'country'              => '' !== $country ? $country : null,
			'test'                 => str_starts_with( self::click( $order ), 'rmv_' ) ? true : null,
			...self::attribution( $order ),
		);
	}

	/**
	 * What decides who earns an order or a subscription: the click, the discount codes, and the customer.
	 *
	 * @return array<string, mixed>
	 */
	public static function attribution( WC_Order $order ): array {
		$click  = self::click( $order );
		$codes  = array_slice( array_values( $order->get_coupon_codes() ), 0, self::CODES_MAX );
		$is_one = '' !== $click && count( $codes ) <= 1;
		return array(
			'click_id'       => '' !== $click ? $click : null,
			'discount_code'  => $is_one ? ( $codes[0] ?? null ) : null,
			// Without a click, the list says that the order is reported for its codes or its customer.
			'discount_codes' => $is_one ? null : $codes,
			'customer_id'    => $order->get_customer_id() > 0 ? (string) $order->get_customer_id() : null,
		);
	}

	/** A paid order that is cancelled, and one that is refunded in full, are the same report. */
	public static function report_cancelled( int $order_id ): void {
		$order = self::reported( $order_id );
		if ( null !== $order && ! Subscription_Reports::covers( $order ) ) {
			Report_Sender::add( Operation::Reversal, array( 'order_id' => (string) $order_id, 'reason' => 'refunded or cancelled' ), $order_id );
		}
	}

	/** A refund of a part. WooCommerce raises another event when nothing is left, which `report_cancelled` handles. */
	public static function report_refund( int $order_id, int $refund_id ): void {
		$order  = self::reported( $order_id );
		$refund = wc_get_order( $refund_id );
		if ( null === $order || ! $refund instanceof WC_Order_Refund || (float) $order->get_remaining_refund_amount() <= 0 ) {
			return;
		}
		$cents = self::refunded_cents( $order, $refund );
		if ( $cents <= 0 || Subscription_Reports::covers( $order ) ) {
			return;
		}
		Report_Sender::add(
			Operation::OrderRefund,
			array(
				'refund_id'    => "refund-$refund_id",
				'order_id'     => (string) $order_id,
				'amount_cents' => $cents,
				'occurred_at'  => $refund->get_date_created(),
				'reason'       => 'refunded',
			),
			$order_id
		);
	}

	/** What a refund returns of the products' prices. */
	public static function refunded_cents( WC_Order $order, WC_Order_Refund $refund ): int {
		$of_items = array_sum( array_map( static fn ( $item ): int => self::cents( abs( (float) $item->get_total() ) ), $refund->get_items() ) );
		if ( $of_items > 0 || 0.0 !== abs( (float) $refund->get_shipping_total() ) ) {
			return $of_items;
		}
		// A refund of an amount without items includes its share of shipping and tax.
		$total = (float) $order->get_total();
		$goods = array_sum( array_column( self::lines( $order ), 'amount_minor_units' ) );
		return $total > 0 ? (int) min( $goods, round( (float) $refund->get_amount() * $goods / $total ) ) : 0;
	}

	public static function click( WC_Order $order ): string {
		return (string) $order->get_meta( Capture::META );
	}

	/** The paid order, or null. */
	private static function paid( int $order_id ): ?WC_Order {
		$order = wc_get_order( $order_id );
		return $order instanceof WC_Order && $order->get_date_paid() ? $order : null;
	}

	/** The paid order that was reported, or null. */
	private static function reported( int $order_id ): ?WC_Order {
		$order = self::paid( $order_id );
		return null !== $order && self::is_reported( $order ) ? $order : null;
	}

	private static function check_later( WC_Order $order ): void {
		$id = array( $order->get_id() );
		if ( array() !== $order->get_coupon_codes() && ! as_has_scheduled_action( self::CHECK, $id, Report_Sender::GROUP ) ) {
			as_schedule_single_action( time() + self::CHECK_AFTER, self::CHECK, $id, Report_Sender::GROUP );
		}
	}

	/**
	 * Products are named by their SKU, which is what rules of a program name, or by their ID.
	 *
	 * @return list<array{product_id: string, amount_minor_units: int, quantity: int}>
	 */
	private static function lines( WC_Order $order ): array {
		$lines = array();
		foreach ( $order->get_items() as $item ) {
			if ( $item instanceof WC_Order_Item_Product ) {
				$product = $item->get_product();
				$sku     = $product ? $product->get_sku() : '';
				$lines[] = array(
					'product_id'         => '' !== $sku ? $sku : (string) $item->get_product_id(),
					'amount_minor_units' => self::cents( max( 0.0, (float) $item->get_total() ) ),
					'quantity'           => max( 1, (int) $item->get_quantity() ),
				);
			}
		}
		return $lines;
	}

	/** WooCommerce computes with floats; rounding gives the cents that it shows. */
	public static function cents( float $amount ): int {
		return (int) round( $amount * 100 );
	}
}
