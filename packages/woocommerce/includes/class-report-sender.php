<?php
/**
 * Sends stored reports with Action Scheduler.
 *
 * @package Tributary\WooCommerce
 */

namespace Tributary\WooCommerce;

use Tributary\Limits;
use Tributary\Operation;
use Tributary\Report;
use Tributary\Result;
use Tributary\Tributary;
use Tributary\UnsendableReport;

defined( 'ABSPATH' ) || exit;

/**
 * Action Scheduler keeps its actions in the database of the shop, so a report survives a restart of the shop and an outage of the service.
 */
final class Report_Sender {
	public const HOOK  = 'tributary_send_report';
	public const SWEEP = 'tributary_send_waiting';
	public const GROUP = 'tributary';

	private const TIMEOUT_MS  = 10_000;
	private const MINUTE      = 60;
	private const DOUBLINGS   = 6;
	private const SWEEP_LIMIT = 200;
	/** Answers that say that no creator earns the order, such as a second order after one click: there is nothing to fix. */
	private const UNEARNED = array( 'missing_referral_click', 'referral_click_already_converted', 'attribution_window_expired' );

	public static function register(): void {
		add_action( self::HOOK, array( self::class, 'send' ) );
		add_action( self::SWEEP, array( self::class, 'send_waiting' ) );
		add_action( 'action_scheduler_init', array( self::class, 'schedule_sweep' ) );
	}

	/**
	 * Stores a report and schedules its first attempt. Does nothing if the same event was stored before.
	 *
	 * @param array<string, mixed> $fields Fields of the interface.
	 */
	public static function add( Operation $operation, array $fields, int $order_id ): void {
		try {
			$report = Report::serialize( $operation, $fields, withTime: true );
		} catch ( UnsendableReport $error ) {
			// An error in the order's data.
			wc_get_logger()->error( $error->getMessage(), array( 'source' => 'tributary', 'order' => $order_id ) );
			return;
		}
		$id = Report_Store::add( $report, $order_id );
		if ( null !== $id ) {
			as_enqueue_async_action( self::HOOK, array( $id ), self::GROUP );
		}
	}

	public static function send( int $id ): void {
		$row = Report_Store::get( $id );
		if ( null === $row || Report_Store::WAITING !== $row->status || ! Settings::is_connected() ) {
			// Without a connection the report waits; the hourly sweep sends it once the shop is connected again.
			return;
		}
		if ( Report_Store::has_earlier( $row ) ) {
			self::again( $id, self::MINUTE );
			return;
		}
		if ( Report_Store::has_no_creator( $row ) ) {
			Report_Store::update( $id, Report_Store::NO_CREATOR, '', '' );
			return;
		}
		$result = self::client()->send( new Report( Operation::from( $row->operation ), $row->body ) );
		self::settle( $row, $result );
	}

	/** Schedules reports whose action was lost, such as in a process that was killed, or that waited for a connection. */
	public static function send_waiting(): void {
		foreach ( Report_Store::with_status( Report_Store::WAITING, self::SWEEP_LIMIT ) as $row ) {
			if ( ! as_has_scheduled_action( self::HOOK, array( (int) $row->id ), self::GROUP ) ) {
				as_enqueue_async_action( self::HOOK, array( (int) $row->id ), self::GROUP );
			}
		}
	}

	public static function schedule_sweep(): void {
		if ( ! as_has_scheduled_action( self::SWEEP, array(), self::GROUP ) ) {
			as_schedule_recurring_action( time() + HOUR_IN_SECONDS, HOUR_IN_SECONDS, self::SWEEP, array(), self::GROUP, true );
		}
	}

	public static function unschedule(): void {
		if ( function_exists( 'as_unschedule_all_actions' ) ) {
			as_unschedule_all_actions( '', array(), self::GROUP );
		}
	}

	/** One attempt for each action: Action Scheduler makes the pauses. */
	public static function client(): Tributary {
		$connection = Settings::connection();
		return new Tributary( $connection['url'], $connection['tracking_key'], $connection['postback_key'], new Limits( attemptsMax: 1, timeoutMs: self::TIMEOUT_MS ) );
	}

	private static function settle( object $row, Result $result ): void {
		$id = (int) $row->id;
		if ( 'accepted' === $result->outcome ) {
			Report_Store::update( $id, Report_Store::ACCEPTED, $result->reason, '' );
			return;
		}
		if ( self::is_final( $result ) ) {
			Report_Store::update( $id, in_array( $result->reason, self::UNEARNED, true ) ? Report_Store::NO_CREATOR : Report_Store::REJECTED, $result->reason, $result->message );
			return;
		}
		Report_Store::update( $id, Report_Store::WAITING, $result->reason, $result->message );
		$pause = 'tomorrow' === $result->retry ? DAY_IN_SECONDS : min( HOUR_IN_SECONDS, self::MINUTE * 2 ** min( (int) $row->attempts, self::DOUBLINGS ) );
		self::again( $id, 'refused' === $result->outcome ? HOUR_IN_SECONDS : $pause );
	}

	/** A wrong key or URL, a disabled integration, and an archived store can be fixed: such reports stay in the queue. */
	private static function is_final( Result $result ): bool {
		$fixable = array( 'missing_postback_key', 'invalid_postback_key', 'store_archived', 'integration_disabled', 'not_found', 'unexpected_redirect' );
		return 'refused' === $result->outcome && ! in_array( $result->reason, $fixable, true ) && ! str_starts_with( $result->reason, 'http_' );
	}

	private static function again( int $id, int $seconds ): void {
		as_schedule_single_action( time() + $seconds, self::HOOK, array( $id ), self::GROUP );
	}
}
