<?php
/**
 * Whether the plugin works in this shop.
 *
 * @package Tributary\WooCommerce
 */

namespace Tributary\WooCommerce;

defined( 'ABSPATH' ) || exit;

/**
 * Checks that need no request to the service, for the page of the plugin and for Tools > Site Health.
 */
final class Health {
	private const OVERDUE = HOUR_IN_SECONDS;

	public static function register(): void {
		add_filter( 'site_status_tests', array( self::class, 'add_test' ) );
	}

	/**
	 * The checks, in the order in which a problem of one explains those after it.
	 *
	 * @return list<array{title: string, is_passed: bool, evidence: string}>
	 */
	public static function checks(): array {
		$is_overdue = self::is_overdue();
		$rejected   = Report_Store::count( Report_Store::REJECTED );
		$waiting    = Report_Store::count( Report_Store::WAITING );
		$last       = Code_Sync::last();
		$is_usd     = 'USD' === get_woocommerce_currency();
		return array(
			self::check(
				__( 'Scheduled actions run', 'tributary-for-woocommerce' ),
				! $is_overdue,
				$is_overdue ? __( 'Actions are more than an hour late. WooCommerce > Status > Scheduled Actions shows them; without visitors, WordPress needs a system cron job.', 'tributary-for-woocommerce' ) : ''
			),
			self::check(
				__( 'Reports accepted', 'tributary-for-woocommerce' ),
				0 === $rejected,
				/* translators: 1: number of waiting reports, 2: number of rejected reports */
				sprintf( __( '%1$d waiting, %2$d rejected', 'tributary-for-woocommerce' ), $waiting, $rejected )
			),
			self::check(
				__( 'Discount codes compared', 'tributary-for-woocommerce' ),
				'' === ( $last['error'] ?? '' ),
				/* translators: %s: time */
				null === $last ? '' : ( '' !== $last['error'] ? $last['error'] : sprintf( __( '%s ago', 'tributary-for-woocommerce' ), human_time_diff( $last['started'] ) ) )
			),
			self::check(
				__( 'Prices in US dollars', 'tributary-for-woocommerce' ),
				$is_usd,
				$is_usd ? '' : __( 'Only orders in US dollars earn commissions. This shop uses another currency.', 'tributary-for-woocommerce' )
			),
		);
	}

	/**
	 * Adds the test to Tools > Site Health.
	 *
	 * @param array<string, array<string, mixed>> $tests Tests of WordPress.
	 * @return array<string, array<string, mixed>>
	 */
	public static function add_test( array $tests ): array {
		$tests['direct']['tributary'] = array( 'label' => 'Tributary', 'test' => array( self::class, 'site_health' ) );
		return $tests;
	}

	/**
	 * The result for Tools > Site Health.
	 *
	 * @return array<string, mixed>
	 */
	public static function site_health(): array {
		$is_connected = Settings::is_connected();
		$failed       = $is_connected ? array_filter( self::checks(), static fn ( array $check ): bool => ! $check['is_passed'] ) : array();
		$label        = __( 'Orders are reported to Tributary', 'tributary-for-woocommerce' );
		if ( ! $is_connected ) {
			$label = __( 'The shop is not connected to Tributary', 'tributary-for-woocommerce' );
		} elseif ( array() !== $failed ) {
			$label = __( 'Reports to Tributary need attention', 'tributary-for-woocommerce' );
		}
		$lines = array_map( static fn ( array $check ): string => '<li>' . esc_html( trim( "{$check['title']}: {$check['evidence']}", ': ' ) ) . '</li>', $failed );
		return array(
			'label'       => $label,
			'status'      => $is_connected && array() === $failed ? 'good' : 'recommended',
			'badge'       => array( 'label' => 'Tributary', 'color' => 'blue' ),
			'description' => '<p>' . esc_html__( 'Tributary attributes orders to creators. Orders that are not reported earn no commission.', 'tributary-for-woocommerce' ) . '</p><ul>' . implode( '', $lines ) . '</ul>',
			'actions'     => sprintf( '<p><a href="%s">%s</a></p>', esc_url( Admin_Page::url() ), esc_html__( 'Open the page of Tributary', 'tributary-for-woocommerce' ) ),
			'test'        => 'tributary',
		);
	}

	/** Whether an action of the plugin is late, because Action Scheduler does not run. */
	private static function is_overdue(): bool {
		$late = as_get_scheduled_actions( array( 'group' => Report_Sender::GROUP, 'status' => 'pending', 'date' => gmdate( 'Y-m-d H:i:s', time() - self::OVERDUE ), 'date_compare' => '<', 'per_page' => 1 ), 'ids' );
		return array() !== $late;
	}

	/**
	 * One check, in the form of `Checks::integration()`.
	 *
	 * @return array{title: string, is_passed: bool, evidence: string}
	 */
	private static function check( string $title, bool $is_passed, string $evidence ): array {
		return array( 'title' => $title, 'is_passed' => $is_passed, 'evidence' => $evidence );
	}
}
