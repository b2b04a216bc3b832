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
 * Shows who earns an order, and what was reported about it, with the responses.
 */
final class Order_Panel {
	// The page of the order waits for it.
	private const TIMEOUT_SECONDS = 5;

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
		if ( in_array( Report_Store::ACCEPTED, array_column( $rows, 'status' ), true ) ) {
			self::render_commission( $order );
		}
		$states = array(
			Report_Store::WAITING    => __( 'Waiting', 'tributary-for-woocommerce' ),
			Report_Store::ACCEPTED   => __( 'Accepted', 'tributary-for-woocommerce' ),
			Report_Store::REJECTED   => __( 'Rejected', 'tributary-for-woocommerce' ),
			Report_Store::NO_CREATOR => __( 'No creator earns this order', 'tributary-for-woocommerce' ),
		);
		echo '<ul>';
		foreach ( $rows as $row ) {
			$reason = '' === $row->reason || Report_Store::ACCEPTED === $row->status ? '' : " ({$row->reason})";
			printf( '<li><strong>%s:</strong> %s%s', esc_html( self::operation_name( $row->operation ) ), esc_html( $states[ $row->status ] ?? $row->status ), esc_html( $reason ) );
			echo '' === (string) $row->message ? '</li>' : '<br>' . esc_html( $row->message ) . '</li>';
		}
		echo '</ul>';
	}

	/** Shows the creator, the commission, and its explanation. */
	private static function render_commission( WC_Order $order ): void {
		$found = Service::request_of_store( 'GET', "/commissions?limit=1&order_id={$order->get_id()}", null, self::TIMEOUT_SECONDS );
		if ( is_wp_error( $found ) ) {
			echo '<p>' . esc_html( $found->get_error_message() ) . '</p>';
			return;
		}
		$commission = $found['data'][0] ?? null;
		// A subscription earns with its payments, and a test order earns nothing.
		if ( null === $commission ) {
			return;
		}
		$states = array(
			'pending'   => __( 'Pending', 'tributary-for-woocommerce' ),
			'approved'  => __( 'Approved', 'tributary-for-woocommerce' ),
			'billed'    => __( 'Invoiced', 'tributary-for-woocommerce' ),
			'collected' => __( 'Collected', 'tributary-for-woocommerce' ),
			'paid'      => __( 'Paid', 'tributary-for-woocommerce' ),
			'rejected'  => __( 'Rejected', 'tributary-for-woocommerce' ),
			'reversed'  => __( 'Reversed', 'tributary-for-woocommerce' ),
		);
		$lines  = array(
			__( 'Creator', 'tributary-for-woocommerce' )    => (string) $commission['creator_name'],
			__( 'Commission', 'tributary-for-woocommerce' ) => wp_strip_all_tags( wc_price( $commission['amount_cents'] / 100, array( 'currency' => 'USD' ) ) ) . ', ' . ( $states[ $commission['state'] ] ?? $commission['state'] ),
		);
		echo '<ul>';
		foreach ( $lines as $title => $value ) {
			printf( '<li><strong>%s:</strong> %s</li>', esc_html( $title ), esc_html( html_entity_decode( $value ) ) );
		}
		printf( '</ul><p>%s</p>', esc_html( (string) $commission['explanation'] ) );
	}
}
