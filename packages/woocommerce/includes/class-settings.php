<?php
/**
 * The connection to the service, and the settings of the shop owner.
 *
 * @package Tributary\WooCommerce
 */

namespace Tributary\WooCommerce;

defined( 'ABSPATH' ) || exit;

/**
 * Stored in one option that is not loaded on every page. It contains secrets, so it is never sent to a browser.
 */
final class Settings {
	private const OPTION = 'tributary_connection';
	// A second option, because every page of the shop reads it, and it contains no secret.
	private const PUBLIC_OPTION = 'tributary_capture';
	private const ORDERS_OPTION = 'tributary_orders';

	/** Kinds of discount that WooCommerce has without plugins, except for single products. */
	public const DISCOUNTS = array( 'percent', 'fixed_cart' );

	public static function is_connected(): bool {
		return null !== self::connection();
	}

	/**
	 * The connection, or null.
	 *
	 * @return ?array{url: string, api_key: string, store_id: string, store_name: string, tracking_key: string, postback_key: string, postback_key_id: string}
	 */
	public static function connection(): ?array {
		$stored = get_option( self::OPTION );
		return is_array( $stored ) ? $stored : null;
	}

	/**
	 * Stores the connection.
	 *
	 * @param array<string, string> $connection As `connection()` returns it.
	 */
	public static function connect( array $connection ): void {
		update_option( self::OPTION, $connection, false );
		update_option( self::PUBLIC_OPTION, array( 'url' => $connection['url'], 'consent' => self::consent() ), true );
	}

	public static function disconnect(): void {
		delete_option( self::OPTION );
		delete_option( self::PUBLIC_OPTION );
	}

	/** The URL of the service, for the script tag; empty if the shop is not connected. */
	public static function script_base(): string {
		return (string) ( get_option( self::PUBLIC_OPTION )['url'] ?? '' );
	}

	/** `auto`: the WP Consent API decides if it is installed. `required`: the theme or a consent manager calls grantConsent(). */
	public static function consent(): string {
		return 'required' === ( get_option( self::PUBLIC_OPTION )['consent'] ?? '' ) ? 'required' : 'auto';
	}

	public static function set_consent( string $consent ): void {
		update_option( self::PUBLIC_OPTION, array( 'url' => self::script_base(), 'consent' => $consent ), true );
	}

	/** Whether orders without a click and without a creator's coupon are reported too, for programs that count returning customers. */
	public static function reports_every_order(): bool {
		return (bool) ( get_option( self::ORDERS_OPTION )['every_order'] ?? false );
	}

	/**
	 * The discount of the coupons that the plugin creates for codes of creators, or null if it creates none.
	 *
	 * @return ?array{type: string, amount: string}
	 */
	public static function code_discount(): ?array {
		$stored = get_option( self::ORDERS_OPTION )['code_discount'] ?? null;
		return is_array( $stored ) ? $stored : null;
	}

	/**
	 * Stores what is reported, and which coupons are created.
	 *
	 * @param ?array{type: string, amount: string} $code_discount As `code_discount()` returns it.
	 */
	public static function set_orders( bool $every_order, ?array $code_discount ): void {
		update_option( self::ORDERS_OPTION, array( 'every_order' => $every_order, 'code_discount' => $code_discount ), false );
	}
}
