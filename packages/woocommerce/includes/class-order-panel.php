<?php
/**
 * The panel on the page of an order.
 *
 * @package Tributary\WooCommerce
 */

namespace Tributary\WooCommerce;

use WC_Order;
use WP_Post;

defined( 'ABSPATH' ) || exit;

/**
 * Shows what was reported about an order, and the responses.
 */
final class Order_Panel {
	public static function register(): void {
		add_action( 'add_meta_boxes', array( self::class, 'add' ) );
	}

	public static function add(): void {
		// The screen of an order depends on where WooCommerce stores orders.
		$screen = wc_get_page_screen_id( 'shop-order' );
		add_meta_box( 'tributary', 'Tributary', array( self::class, 'render' ), $screen, 'side' );
	}

	public static function operation_name( string $operation ): string {
		$names = array(
			'conversion'       => __( 'Order', 'tributary-for-woocommerce' ),
			'reversal'         => __( 'Full refund', 'tributary-for-woocommerce' ),
			'order_refund'     => __( 'Partial refund', 'tributary-for-woocommerce' ),
			'relationship'     => __( 'New subscription', 'tributary-for-woocommerce' ),
			'billing_event'    => __( 'Subscription payment', 'tributary-for-woocommerce' ),
			'invoice_reversal' => __( 'Full refund of a payment', 'tributary-for-woocommerce' ),
			'invoice_refund'   => __( 'Partial refund of a payment', 'tributary-for-woocommerce' ),
			'relationship_end' => __( 'End of the subscription', 'tributary-for-woocommerce' ),
		);
		return $names[ $operation ] ?? $operation;
	}

	public static function render( WP_Post|WC_Order $subject ): void {
		$order = $subject instanceof WC_Order ? $subject : wc_get_order( $subject->ID );
		if ( ! $order instanceof WC_Order || ! Order_Reports::is_reported( $order ) ) {
			echo '<p>' . esc_html__( 'This order came without a referral link and without the coupon of a creator.', 'tributary-for-woocommerce' ) . '</p>';
			return;
		}
		$rows = Report_Store::of_order( $order->get_id() );
		if ( array() === $rows ) {
			echo '<p>' . esc_html__( 'This order came through a referral link. It is reported when it is paid.', 'tributary-for-woocommerce' ) . '</p>';
			return;
		}
		$states = array(
			Report_Store::WAITING    => __( 'Waiting', 'tributary-for-woocommerce' ),
			Report_Store::ACCEPTED   => __( 'Accepted', 'tributary-for-woocommerce' ),
			Report_Store::REJECTED   => __( 'Rejected', 'tributary-for-woocommerce' ),
			Report_Store::NO_CREATOR => __( 'No creator earns this order', 'tributary-for-woocommerce' ),
		);
		echo '<ul>';
		foreach ( $rows as $row ) {
			$reason = '' === $row->reason ? '' : " ({$row->reason})";
			printf( '<li><strong>%s:</strong> %s%s', esc_html( self::operation_name( $row->operation ) ), esc_html( $states[ $row->status ] ?? $row->status ), esc_html( $reason ) );
			echo '' === (string) $row->message ? '</li>' : '<br>' . esc_html( $row->message ) . '</li>';
		}
		echo '</ul>';
	}
}
