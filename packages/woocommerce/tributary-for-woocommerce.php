<?php
/**
 * Plugin Name: Tributary for WooCommerce
 * Description: Attributes orders to creators: captures referral clicks, and reports paid orders and refunds to your Tributary service.
 * Version: 0.1.0
 * Requires at least: 6.5
 * Requires PHP: 8.1
 * Requires Plugins: woocommerce
 * WC requires at least: 8.2
 * WC tested up to: 11.0
 * License: MIT
 * License URI: https://opensource.org/license/mit
 * Text Domain: tributary-for-woocommerce
 * Domain Path: /languages
 *
 * @package Tributary\WooCommerce
 */

namespace Tributary\WooCommerce;

defined( 'ABSPATH' ) || exit;

const VERSION = '0.1.0';
const FILE    = __FILE__;

// The client of the postback interface: in the zip a copy of packages/php, which the script that builds the zip adds.
require_once is_dir( __DIR__ . '/lib' ) ? __DIR__ . '/lib/autoload.php' : __DIR__ . '/../php/autoload.php';

foreach ( array( 'settings', 'service', 'codes', 'coupons', 'coupon-codes', 'code-sync', 'report-store', 'report-sender', 'capture', 'order-reports', 'subscription-reports', 'checks', 'health', 'admin-page', 'settings-form', 'order-panel', 'coupon-panel' ) as $name ) {
	require_once __DIR__ . "/includes/class-$name.php";
}

add_action(
	'init',
	static function (): void {
		load_plugin_textdomain( 'tributary-for-woocommerce', false, dirname( plugin_basename( FILE ) ) . '/languages' );
	}
);

register_activation_hook( __FILE__, array( Report_Store::class, 'create_table' ) );
register_deactivation_hook( __FILE__, array( Report_Sender::class, 'unschedule' ) );

add_action(
	'before_woocommerce_init',
	static function (): void {
		\Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility( 'custom_order_tables', FILE );
		\Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility( 'cart_checkout_blocks', FILE );
	}
);

add_action(
	'woocommerce_loaded',
	static function (): void {
		Report_Store::upgrade();
		Capture::register();
		Order_Reports::register();
		Subscription_Reports::register();
		Report_Sender::register();
		Coupon_Codes::register();
		Code_Sync::register();
		Health::register();
		if ( is_admin() ) {
			Admin_Page::register();
			Order_Panel::register();
			Coupon_Panel::register();
		}
	}
);
