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
 * Reports what the shopper paid for products: after discounts, without shipping and tax.
 */
final class Order_Reports {
	private const LINES_MAX = 200;

	public static function register(): void {
		// An order that is marked as paid by hand, such as a bank transfer, changes its status only.
		foreach ( array( 'woocommerce_payment_complete', 'woocommerce_order_status_processing', 'woocommerce_order_status_completed' ) as $event ) {
			add_action( $event, array( self::class, 'report_paid' ) );
		}
		add_action( 'woocommerce_order_status_cancelled', array( self::class, 'report_cancelled' ) );
		add_action( 'woocommerce_order_refunded', array( self::class, 'report_refund' ), 10, 2 );
		add_action( 'woocommerce_order_fully_refunded', array( self::class, 'report_cancelled' ) );
	}

	public static function report_paid( int $order_id ): void {
		$order = self::attributed( $order_id );
		if ( null === $order || Subscription_Reports::covers( $order ) ) {
			return;
		}
		Report_Sender::add( Operation::Conversion, self::conversion( $order ), $order->get_id() );
	}

	/**
	 * The fields of the report of a paid order.
	 *
	 * @return array<string, mixed>
	 */
	public static function conversion( WC_Order $order ): array {
		$click  = (string) $order->get_meta( Capture::META );
		$lines  = self::lines( $order );
		$coupon = array_values( $order->get_coupon_codes() )[0] ?? null;
		return array(
			'order_id'             => (string) $order->get_id(),
			'click_id'             => $click,
			'currency'             => $order->get_currency(),
			'order_subtotal_cents' => array_sum( array_column( $lines, 'amount_minor_units' ) ),
			'line_items'           => $lines && count( $lines ) <= self::LINES_MAX ? $lines : null,
			'occurred_at'          => $order->get_date_paid(),
			'order_name'           => '#' . $order->get_order_number(),
			'customer_id'          => $order->get_customer_id() > 0 ? (string) $order->get_customer_id() : null,
			'discount_code'        => $coupon,
			'test'                 => str_starts_with( $click, 'rmv_' ) ? true : null,
		);
	}

	/** A paid order that is cancelled, and one that is refunded in full, are the same report. */
	public static function report_cancelled( int $order_id ): void {
		$order = self::attributed( $order_id );
		if ( null !== $order && ! Subscription_Reports::covers( $order ) ) {
			Report_Sender::add( Operation::Reversal, array( 'order_id' => (string) $order_id, 'reason' => 'refunded or cancelled' ), $order_id );
		}
	}

	/** A refund of a part. WooCommerce raises another event when nothing is left, which `report_cancelled` handles. */
	public static function report_refund( int $order_id, int $refund_id ): void {
		$order  = self::attributed( $order_id );
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

	/**
	 * The paid order with a click, or null.
	 */
	private static function attributed( int $order_id ): ?WC_Order {
		$order = wc_get_order( $order_id );
		return $order instanceof WC_Order && $order->get_meta( Capture::META ) && $order->get_date_paid() ? $order : null;
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
