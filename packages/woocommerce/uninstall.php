<?php
/**
 * Removes everything that the plugin stored, except two things that belong to the history of the shop: the click of each order, with the
 * mark of reported orders, and the coupons that the plugin created, which shoppers may know.
 *
 * @package Tributary\WooCommerce
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

/** Removes what the plugin stored in the current site. */
function tributary_uninstall_site(): void {
	global $wpdb;
	$wpdb->query( $wpdb->prepare( 'DROP TABLE IF EXISTS %i', $wpdb->prefix . 'tributary_reports' ) ); // phpcs:ignore WordPress.DB.DirectDatabaseQuery
	foreach ( array( 'tributary_connection', 'tributary_capture', 'tributary_orders', 'tributary_code_sync', 'tributary_schema' ) as $option ) {
		delete_option( $option );
	}
	delete_transient( 'tributary_owners' );
	foreach ( array( '_tributary_code_id', '_tributary_pending', '_tributary_link' ) as $key ) {
		delete_post_meta_by_key( $key );
	}
	if ( function_exists( 'as_unschedule_all_actions' ) ) {
		as_unschedule_all_actions( '', array(), 'tributary' );
	}
}

if ( is_multisite() ) {
	foreach ( get_sites( array( 'fields' => 'ids', 'number' => 0 ) ) as $site_id ) {
		switch_to_blog( $site_id );
		tributary_uninstall_site();
		restore_current_blog();
	}
} else {
	tributary_uninstall_site();
}
