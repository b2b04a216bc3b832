<?php
/**
 * Removes everything that the plugin stored, except the click of each order, which belongs to the order's history.
 *
 * @package Tributary\WooCommerce
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

global $wpdb;
$wpdb->query( $wpdb->prepare( 'DROP TABLE IF EXISTS %i', $wpdb->prefix . 'tributary_reports' ) );
foreach ( array( 'tributary_connection', 'tributary_capture', 'tributary_schema' ) as $option ) {
	delete_option( $option );
}
if ( function_exists( 'as_unschedule_all_actions' ) ) {
	as_unschedule_all_actions( '', array(), 'tributary' );
}
