<?php
/**
 * The capture script, and the click of an order.
 *
 * @package Tributary\WooCommerce
 */

namespace Tributary\WooCommerce;

use Tributary\Click;
use WC_Order;

defined( 'ABSPATH' ) || exit;

/**
 * Adds the script to every page, and copies the click to the order at checkout, both only with consent.
 */
final class Capture {
	public const META    = '_rm_click';
	private const HANDLE = 'tributary-capture';

	public static function register(): void {
		add_action( 'wp_enqueue_scripts', array( self::class, 'add_script' ), 1 );
		add_filter( 'script_loader_tag', array( self::class, 'add_consent_mode' ), 10, 2 );
		add_action( 'woocommerce_checkout_create_order', array( self::class, 'save_click' ) );
		add_action( 'woocommerce_store_api_checkout_update_order_meta', array( self::class, 'save_click_of_block_checkout' ) );
		add_filter( 'woocommerce_privacy_export_order_personal_data_meta', array( self::class, 'export' ) );
		add_filter( 'woocommerce_privacy_remove_order_personal_data_meta', array( self::class, 'erase' ) );
		// Without a question whether the WP Consent API is active, because it may load later.
		add_filter( 'wp_consent_api_registered_' . plugin_basename( FILE ), '__return_true' );
	}

	public static function add_script(): void {
		$base = Settings::script_base();
		if ( '' === $base ) {
			return;
		}
		// Without a version: the service sets the caching of this URL.
		wp_enqueue_script( self::HANDLE, "$base/api/pn/sdk/v1.js", array(), null, array( 'strategy' => 'defer', 'in_footer' => false ) ); // phpcs:ignore WordPress.WP.EnqueuedResourceParameters.MissingVersion
		if ( self::uses_consent_api() ) {
			wp_enqueue_script( 'tributary-consent', plugins_url( 'assets/consent.js', FILE ), array( self::HANDLE ), VERSION, array( 'strategy' => 'defer', 'in_footer' => false ) );
		}
	}

	public static function add_consent_mode( string $tag, string $handle ): string {
		if ( self::HANDLE !== $handle || ! self::needs_consent() ) {
			return $tag;
		}
		return str_replace( ' src=', ' data-rm-consent-mode="explicit" src=', $tag );
	}

	/** Classic checkout: WooCommerce saves the order afterwards. */
	public static function save_click( WC_Order $order ): void {
		$click = self::has_consent() ? Click::fromCookies( wp_unslash( $_COOKIE ) ) : null;
		if ( null !== $click ) {
			$order->update_meta_data( self::META, $click );
		}
	}

	/** Block checkout: WooCommerce calls this for an order that is already saved, and again when the shopper changes the checkout. */
	public static function save_click_of_block_checkout( WC_Order $order ): void {
		self::save_click( $order );
		$order->save_meta_data();
	}

	/**
	 * Adds the click to the data that WordPress exports for a person.
	 *
	 * @param array<string, string> $meta Labels by meta key.
	 * @return array<string, string>
	 */
	public static function export( array $meta ): array {
		return array( ...$meta, self::META => __( 'Referral click', 'tributary-for-woocommerce' ) );
	}

	/**
	 * Erases the click with the personal data of an order.
	 *
	 * @param array<string, string> $meta Kinds of data by meta key.
	 * @return array<string, string>
	 */
	public static function erase( array $meta ): array {
		return array( ...$meta, self::META => 'text' );
	}

	private static function uses_consent_api(): bool {
		return function_exists( 'wp_has_consent' );
	}

	private static function needs_consent(): bool {
		return self::uses_consent_api() || 'required' === Settings::consent();
	}

	/** With `required` and without the WP Consent API only the script knows the decision: it deletes nothing, and writes nothing without consent. */
	private static function has_consent(): bool {
		return ! self::uses_consent_api() || (bool) wp_has_consent( 'marketing' );
	}
}
