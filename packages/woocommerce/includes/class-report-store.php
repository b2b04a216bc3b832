<?php
/**
 * The table of reports.
 *
 * @package Tributary\WooCommerce
 */

namespace Tributary\WooCommerce;

use Tributary\Report;

defined( 'ABSPATH' ) || exit;

/**
 * One row for each report, with the bytes that are sent. A row stays after the response, so that an event that WooCommerce raises twice is
 * one report, and so that the order shows what was reported.
 */
final class Report_Store {
	private const SCHEMA = '1';

	public const WAITING  = 'waiting';
	public const ACCEPTED = 'accepted';
	public const REJECTED = 'rejected';
	/** No creator earns the order, which is no error: it has no click and no code that counts, or its click has already earned. */
	public const NO_CREATOR = 'no_creator';

	public static function table(): string {
		global $wpdb;
		return $wpdb->prefix . 'tributary_reports';
	}

	public static function create_table(): void {
		global $wpdb;
		require_once ABSPATH . 'wp-admin/includes/upgrade.php';
		$table   = self::table();
		$collate = $wpdb->get_charset_collate();
		dbDelta(
			"CREATE TABLE $table (
			id bigint unsigned NOT NULL AUTO_INCREMENT,
			report_key char(64) NOT NULL,
			order_id bigint unsigned NOT NULL,
			operation varchar(40) NOT NULL,
			body text NOT NULL,
			status varchar(20) NOT NULL,
			reason varchar(100) NOT NULL DEFAULT '',
			message text NULL,
			attempts int unsigned NOT NULL DEFAULT 0,
			created_at datetime NOT NULL,
			updated_at datetime NOT NULL,
			PRIMARY KEY  (id),
			UNIQUE KEY report_key (report_key),
			KEY order_id (order_id),
			KEY status (status)
			) $collate;"
		);
		update_option( 'tributary_schema', self::SCHEMA, true );
	}

	/** An update of the plugin does not run the activation hook. */
	public static function upgrade(): void {
		if ( self::SCHEMA !== get_option( 'tributary_schema' ) ) {
			self::create_table();
		}
	}

	/**
	 * Stores a report once. Returns its ID, or null if the same event was stored before.
	 *
	 * @param int $order_id The WooCommerce order that the report is about.
	 */
	public static function add( Report $report, int $order_id ): ?int {
		global $wpdb;
		$now = current_time( 'mysql', true );
		// Two requests may handle the same event; the unique key lets one of them insert the row.
		$inserted = $wpdb->query(
			$wpdb->prepare(
				'INSERT IGNORE INTO %i (report_key, order_id, operation, body, status, created_at, updated_at) VALUES (%s, %d, %s, %s, %s, %s, %s)',
				self::table(),
				hash( 'sha256', $report->keys()['id'] ),
				$order_id,
				$report->operation->value,
				$report->body,
				self::WAITING,
				$now,
				$now
			)
		);
		return 1 === $inserted ? $wpdb->insert_id : null;
	}

	/** The report with this ID, or null. */
	public static function get( int $id ): ?object {
		global $wpdb;
		return $wpdb->get_row( $wpdb->prepare( 'SELECT * FROM %i WHERE id = %d', self::table(), $id ) );
	}

	/** Whether an earlier report about the same order is still waiting: a refund is never sent before its order. */
	public static function has_earlier( object $row ): bool {
		global $wpdb;
		return null !== $wpdb->get_var( $wpdb->prepare( 'SELECT 1 FROM %i WHERE order_id = %d AND id < %d AND status = %s AND reason NOT IN (%s, %s) LIMIT 1', self::table(), $row->order_id, $row->id, self::WAITING, 'active_hold', 'invoice_in_progress' ) );
	}

	/** Whether the service found no creator for the order of this report, so that it does not know the order. */
	public static function has_no_creator( object $row ): bool {
		global $wpdb;
		return null !== $wpdb->get_var( $wpdb->prepare( 'SELECT 1 FROM %i WHERE order_id = %d AND status = %s LIMIT 1', self::table(), $row->order_id, self::NO_CREATOR ) );
	}

	public static function update( int $id, string $status, string $reason, string $message ): void {
		global $wpdb;
		$now = current_time( 'mysql', true );
		$wpdb->query( $wpdb->prepare( 'UPDATE %i SET status = %s, reason = %s, message = %s, attempts = attempts + 1, updated_at = %s WHERE id = %d', self::table(), $status, $reason, $message, $now, $id ) );
	}

	/**
	 * The reports of an order, oldest first.
	 *
	 * @return list<object>
	 */
	public static function of_order( int $order_id ): array {
		global $wpdb;
		return $wpdb->get_results( $wpdb->prepare( 'SELECT * FROM %i WHERE order_id = %d ORDER BY id LIMIT 100', self::table(), $order_id ) );
	}

	/**
	 * Reports with a status, newest first.
	 *
	 * @return list<object>
	 */
	public static function with_status( string $status, int $limit ): array {
		global $wpdb;
		return $wpdb->get_results( $wpdb->prepare( 'SELECT * FROM %i WHERE status = %s ORDER BY id DESC LIMIT %d', self::table(), $status, $limit ) );
	}

	public static function count( string $status ): int {
		global $wpdb;
		return (int) $wpdb->get_var( $wpdb->prepare( 'SELECT count(*) FROM %i WHERE status = %s', self::table(), $status ) );
	}
}
