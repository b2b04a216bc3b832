<?php
/**
 * The test order, and the state of the integration.
 *
 * @package Tributary\WooCommerce
 */

namespace Tributary\WooCommerce;

use Tributary\Operation;
use Tributary\Report;
use WC_Order;
use WC_Order_Item_Product;
use WC_Product_Query;
use WP_Error;

defined( 'ABSPATH' ) || exit;

/**
 * Uses the same code as real orders, so a passed test order shows that real orders are reported.
 */
final class Checks {
	/**
	 * The integration checks of the service.
	 *
	 * @return list<array{title: string, is_passed: bool, evidence: string}>|WP_Error
	 */
	public static function integration(): array|WP_Error {
		$state = Service::request_of_store( 'GET', '/integration' );
		if ( is_wp_error( $state ) ) {
			return $state;
		}
		$titles = array(
			'key_used'      => __( 'Postback key used', 'tributary-for-woocommerce' ),
			'tag_found'     => __( 'Script found on the landing page', 'tributary-for-woocommerce' ),
			'link_opened'   => __( 'Test link opened', 'tributary-for-woocommerce' ),
			'test_order'    => __( 'Test order posted', 'tributary-for-woocommerce' ),
			'tracking_on'   => __( 'Tracking on', 'tributary-for-woocommerce' ),
			'refund_tested' => __( 'Refund tested', 'tributary-for-woocommerce' ),
		);
		return array_map(
			static fn ( array $check ): array => array(
				'title'     => $titles[ $check['light'] ] ?? $check['light'],
				'is_passed' => (bool) $check['is_on'],
				'evidence'  => (string) $check['seen'],
			),
			$state['lights']
		);
	}

	/**
	 * Creates an order with a test click, reports it and its refund, and deletes it. A test order never creates money.
	 *
	 * @return string|WP_Error The reason of the response, which is `test_verified` if tracking works.
	 */
	public static function run_test_order(): string|WP_Error {
		$link = Service::request_of_store( 'POST', '/test-links', array() );
		if ( is_wp_error( $link ) ) {
			return $link;
		}
		self::open( $link['click_id'] );
		$order = self::create_test_order( $link['click_id'] );
		try {
			return self::report( $order );
		} finally {
			$order->delete( true );
		}
	}

	/** Opens the test link as a browser does, which the service records. */
	private static function open( string $click_id ): void {
		$links = Service::request_of_store( 'GET', '/test-links' );
		foreach ( is_wp_error( $links ) ? array() : $links['data'] as $link ) {
			if ( $click_id === $link['click_id'] ) {
				$browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
				wp_remote_get( $link['open_url'], array( 'redirection' => 0, 'user-agent' => $browser, 'headers' => array( 'Accept' => 'text/html' ) ) );
			}
		}
	}

	private static function create_test_order( string $click_id ): WC_Order {
		$order   = wc_create_order( array( 'created_via' => 'tributary-test' ) );
		$product = ( new WC_Product_Query( array( 'limit' => 1, 'status' => 'publish' ) ) )->get_products()[0] ?? null;
		$item    = new WC_Order_Item_Product();
		$item->set_name( $product ? $product->get_name() : 'Test product' );
		if ( $product ) {
			$item->set_product( $product );
		}
		$item->set_quantity( 1 );
		$item->set_total( '10' );
		$order->add_item( $item );
		$order->update_meta_data( Capture::META, $click_id );
		$order->set_date_paid( time() );
		$order->save();
		return $order;
	}

	private static function report( WC_Order $order ): string|WP_Error {
		$client = Report_Sender::client();
		$result = $client->send( Report::serialize( Operation::Conversion, Order_Reports::conversion( $order ) ) );
		if ( 'accepted' !== $result->outcome ) {
			return new WP_Error( $result->reason, $result->message );
		}
		$client->reverseConversion( (string) $order->get_id(), reason: 'refunded or cancelled' );
		return $result->reason;
	}
}
