<?php
/**
 * The page WooCommerce > Tributary.
 *
 * @package Tributary\WooCommerce
 */

namespace Tributary\WooCommerce;

use WP_Error;

defined( 'ABSPATH' ) || exit;

/**
 * Connects the shop. Then the tab "Status" shows the integration checks and the reports that need attention, and runs a test order; the tab
 * "Settings" has the settings.
 */
final class Admin_Page {
	private const SLUG       = 'tributary';
	private const CAPABILITY = 'manage_woocommerce';
	private const ROWS       = 20;

	public static function register(): void {
		add_action( 'admin_menu', array( self::class, 'add_page' ), 60 );
		add_filter( 'plugin_action_links_' . plugin_basename( FILE ), array( self::class, 'add_link' ) );
		foreach ( array( 'connect', 'disconnect', 'settings', 'sync_codes', 'test_order', 'send_now' ) as $action ) {
			add_action( "admin_post_tributary_$action", array( self::class, $action ) );
		}
	}

	public static function add_page(): void {
		add_submenu_page( 'woocommerce', 'Tributary', 'Tributary', self::CAPABILITY, self::SLUG, array( self::class, 'render' ) );
	}

	/**
	 * Adds "Settings" to the plugin's row.
	 *
	 * @param list<string> $links Links of the row.
	 * @return list<string>
	 */
	public static function add_link( array $links ): array {
		return array( sprintf( '<a href="%s">%s</a>', esc_url( self::url( 'settings' ) ), esc_html__( 'Settings', 'tributary-for-woocommerce' ) ), ...$links );
	}

	public static function url( string $tab = '' ): string {
		return admin_url( 'admin.php?page=' . self::SLUG . ( '' === $tab ? '' : "&tab=$tab" ) );
	}

	public static function connect(): void {
		self::check( 'connect' );
		$error = Service::connect( self::posted( 'url' ), trim( self::posted( 'api_key' ) ) );
		if ( null === $error ) {
			Report_Sender::send_waiting();
			as_enqueue_async_action( Code_Sync::HOOK, array(), Report_Sender::GROUP );
		}
		self::back( '', $error ?? __( 'The shop is connected. Run a test order next.', 'tributary-for-woocommerce' ) );
	}

	public static function disconnect(): void {
		self::check( 'disconnect' );
		Service::disconnect();
		self::back( '', __( 'The shop is disconnected. Reports wait until it is connected again.', 'tributary-for-woocommerce' ) );
	}

	public static function settings(): void {
		self::check( 'settings' );
		$type   = self::posted( 'code_discount_type' );
		$amount = wc_format_decimal( self::posted( 'code_discount_amount' ) );
		$is_set = in_array( $type, Settings::DISCOUNTS, true );
		if ( $is_set && ( (float) $amount <= 0 || ( 'percent' === $type && (float) $amount > 100 ) ) ) {
			self::back( 'settings', new WP_Error( 'amount', __( 'Enter the discount of the coupons: an amount above 0, and at most 100 percent.', 'tributary-for-woocommerce' ) ) );
		}
		Settings::set_orders( '' !== self::posted( 'every_order' ), $is_set ? array( 'type' => $type, 'amount' => $amount ) : null );
		if ( ! function_exists( 'wp_has_consent' ) ) {
			Settings::set_consent( '' !== self::posted( 'consent_required' ) ? 'required' : 'auto' );
		}
		self::back( 'settings', __( 'Settings saved.', 'tributary-for-woocommerce' ) );
	}

	public static function sync_codes(): void {
		self::check( 'sync_codes' );
		$counts = Code_Sync::run();
		/* translators: 1: number of linked coupons, 2: number of created coupons, 3: number of changed coupons */
		self::back( '', is_wp_error( $counts ) ? $counts : sprintf( __( 'Discount codes were compared: %1$d coupons linked, %2$d created, %3$d changed.', 'tributary-for-woocommerce' ), $counts['linked'], $counts['created'], $counts['changed'] ) );
	}

	public static function test_order(): void {
		self::check( 'test_order' );
		$reason = Checks::run_test_order();
		if ( 'test_verified' === $reason ) {
			self::back( '', __( 'The test order was verified. Tracking is on.', 'tributary-for-woocommerce' ) );
		}
		/* translators: %s: reason of the response */
		self::back( '', new WP_Error( 'test_order', sprintf( __( 'The test order was not verified: %s', 'tributary-for-woocommerce' ), is_wp_error( $reason ) ? $reason->get_error_message() : $reason ) ) );
	}

	public static function send_now(): void {
		self::check( 'send_now' );
		foreach ( Report_Store::with_status( Report_Store::WAITING, self::ROWS ) as $row ) {
			Report_Sender::send( (int) $row->id );
		}
		self::back( '', __( 'Waiting reports were sent.', 'tributary-for-woocommerce' ) );
	}

	public static function render(): void {
		echo '<div class="wrap"><h1>Tributary</h1>';
		self::render_notice();
		if ( ! Settings::is_connected() ) {
			self::render_connect();
		} else {
			// phpcs:ignore WordPress.Security.NonceVerification.Recommended -- chooses what is shown, and changes nothing.
			$tab = 'settings' === sanitize_key( wp_unslash( $_GET['tab'] ?? '' ) ) ? 'settings' : '';
			self::render_tabs( $tab );
			'settings' === $tab ? Settings_Form::render() : self::render_status();
		}
		echo '</div>';
	}

	/** Opens the form of an action, which the caller closes. */
	public static function open_form( string $action ): void {
		printf( '<form method="post" action="%s"><input type="hidden" name="action" value="%s">', esc_url( admin_url( 'admin-post.php' ) ), esc_attr( "tributary_$action" ) );
		wp_nonce_field( "tributary_$action" );
	}

	public static function button( string $action, string $label, string $kind ): void {
		self::open_form( $action );
		submit_button( $label, $kind );
		echo '</form>';
	}

	private static function render_tabs( string $current ): void {
		$tabs = array(
			''         => __( 'Status', 'tributary-for-woocommerce' ),
			'settings' => __( 'Settings', 'tributary-for-woocommerce' ),
		);
		echo '<nav class="nav-tab-wrapper">';
		foreach ( $tabs as $tab => $title ) {
			printf( '<a class="nav-tab%s" href="%s"%s>%s</a>', $tab === $current ? ' nav-tab-active' : '', esc_url( self::url( $tab ) ), $tab === $current ? ' aria-current="page"' : '', esc_html( $title ) );
		}
		echo '</nav>';
	}

	private static function render_connect(): void {
		?>
		<p><?php esc_html_e( 'Create an API key for your store in the Tributary dashboard, under Settings > API keys, with the scopes store:read and integration:write. Add programs:write if you give coupons to creators.', 'tributary-for-woocommerce' ); ?></p>
		<?php self::open_form( 'connect' ); ?>
		<table class="form-table" role="presentation">
			<tr>
				<th scope="row"><label for="tributary-url"><?php esc_html_e( 'Service URL', 'tributary-for-woocommerce' ); ?></label></th>
				<td><input class="regular-text" type="url" id="tributary-url" name="url" required placeholder="https://partners.example.com"></td>
			</tr>
			<tr>
				<th scope="row"><label for="tributary-key"><?php esc_html_e( 'API key', 'tributary-for-woocommerce' ); ?></label></th>
				<td><input class="regular-text" type="password" id="tributary-key" name="api_key" required autocomplete="off" placeholder="trb_…"></td>
			</tr>
		</table>
		<?php submit_button( __( 'Connect', 'tributary-for-woocommerce' ) ); ?>
		</form>
		<?php
	}

	private static function render_status(): void {
		echo '<h2>' . esc_html__( 'Integration checks', 'tributary-for-woocommerce' ) . '</h2>';
		$checks = Checks::integration();
		if ( is_wp_error( $checks ) ) {
			self::notice( 'error', $checks->get_error_message() );
		} else {
			self::render_checks( $checks );
		}
		self::button( 'test_order', __( 'Run test order', 'tributary-for-woocommerce' ), 'primary' );
		echo '<h2>' . esc_html__( 'This shop', 'tributary-for-woocommerce' ) . '</h2>';
		self::render_checks( Health::checks() );
		self::button( 'sync_codes', __( 'Compare discount codes', 'tributary-for-woocommerce' ), 'secondary' );
		self::render_reports( __( 'Rejected reports', 'tributary-for-woocommerce' ), Report_Store::REJECTED );
		self::render_reports( __( 'Waiting reports', 'tributary-for-woocommerce' ), Report_Store::WAITING );
	}

	/**
	 * A table of checks.
	 *
	 * @param list<array{title: string, is_passed: bool, evidence: string}> $checks As `Checks::integration()` returns them.
	 */
	private static function render_checks( array $checks ): void {
		self::open_table( __( 'Check', 'tributary-for-woocommerce' ), __( 'State', 'tributary-for-woocommerce' ), __( 'Evidence', 'tributary-for-woocommerce' ) );
		foreach ( $checks as $check ) {
			$state = $check['is_passed'] ? '✓ ' . __( 'Passed', 'tributary-for-woocommerce' ) : '– ' . __( 'Not yet', 'tributary-for-woocommerce' );
			printf( '<tr><td>%s</td><td>%s</td><td>%s</td></tr>', esc_html( $check['title'] ), esc_html( $state ), esc_html( $check['evidence'] ) );
		}
		echo '</tbody></table>';
	}

	private static function render_reports( string $title, string $status ): void {
		$count = Report_Store::count( $status );
		echo '<h2>' . esc_html( "$title ($count)" ) . '</h2>';
		if ( 0 === $count ) {
			echo '<p>' . esc_html__( 'None.', 'tributary-for-woocommerce' ) . '</p>';
			return;
		}
		self::open_table( __( 'Order', 'tributary-for-woocommerce' ), __( 'Report', 'tributary-for-woocommerce' ), __( 'Attempts', 'tributary-for-woocommerce' ), __( 'Last response', 'tributary-for-woocommerce' ) );
		foreach ( Report_Store::with_status( $status, self::ROWS ) as $row ) {
			$order = wc_get_order( $row->order_id );
			$link  = $order ? sprintf( '<a href="%s">#%s</a>', esc_url( $order->get_edit_order_url() ), esc_html( $order->get_order_number() ) ) : esc_html( '#' . $row->order_id );
			// $link is escaped above.
			printf( '<tr><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>', $link, esc_html( Order_Panel::operation_name( $row->operation ) ), esc_html( $row->attempts ), esc_html( trim( "{$row->reason} {$row->message}" ) ) ); // phpcs:ignore WordPress.Security.EscapeOutput.OutputNotEscaped
		}
		echo '</tbody></table>';
		if ( Report_Store::WAITING === $status ) {
			self::button( 'send_now', __( 'Send now', 'tributary-for-woocommerce' ), 'secondary' );
		}
	}

	private static function open_table( string ...$titles ): void {
		echo '<table class="widefat striped"><thead><tr>';
		foreach ( $titles as $title ) {
			printf( '<th scope="col">%s</th>', esc_html( $title ) );
		}
		echo '</tr></thead><tbody>';
	}

	/** A field of the form whose nonce `check()` has verified. */
	private static function posted( string $name ): string {
		return sanitize_text_field( wp_unslash( $_POST[ $name ] ?? '' ) ); // phpcs:ignore WordPress.Security.NonceVerification.Missing
	}

	private static function check( string $action ): void {
		if ( ! current_user_can( self::CAPABILITY ) ) {
			wp_die( esc_html__( 'You are not allowed to change these settings.', 'tributary-for-woocommerce' ), 403 );
		}
		check_admin_referer( "tributary_$action" );
	}

	/** The message is shown once, to this user only. */
	private static function back( string $tab, string|WP_Error $message ): never {
		$notice = is_wp_error( $message ) ? array( 'error', $message->get_error_message() ) : array( 'success', $message );
		set_transient( 'tributary_notice_' . get_current_user_id(), $notice, MINUTE_IN_SECONDS );
		wp_safe_redirect( self::url( $tab ) );
		exit;
	}

	private static function render_notice(): void {
		$name   = 'tributary_notice_' . get_current_user_id();
		$notice = get_transient( $name );
		if ( is_array( $notice ) ) {
			delete_transient( $name );
			self::notice( ...$notice );
		}
	}

	private static function notice( string $kind, string $message ): void {
		printf( '<div class="notice notice-%s is-dismissible"><p>%s</p></div>', esc_attr( $kind ), esc_html( $message ) );
	}
}
