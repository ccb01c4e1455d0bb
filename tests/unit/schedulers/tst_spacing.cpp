#include "schedulers/spacing.h"

#include <QtTest>
#include <cmath>

using namespace attnscope::schedules;

class TestSpacing : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void linspace_has_both_ends() {
    QCOMPARE(linspace(0, 999, 1), std::vector<double>{0});
    QCOMPARE(linspace(0, 999, 4), (std::vector<double>{0, 333, 666, 999}));
    QCOMPARE(linspace(2, 1, 3), (std::vector<double>{2, 1.5, 1}));
  }

  void halves_round_to_even() {
    std::vector<double> values = {0.5, 1.5, 2.5, 499.5};
    round_all(values);
    QCOMPARE(values, (std::vector<double>{0, 2, 2, 500}));
  }

  void interpolation_clamps_and_survives_infinity() {
    const std::vector<double> table = {1, 3, INFINITY};
    QCOMPARE(interpolate(table, -1), 1.0);
    QCOMPARE(interpolate(table, 0.25), 1.5);
    QCOMPARE(interpolate(table, 1), 3.0);
    QCOMPARE(interpolate(table, 7), INFINITY);
  }

  void a_sigma_finds_its_timestep() {
    const std::vector<double> logs = log_sigmas({0.1, 1, 10, 100});
    QVERIFY(std::abs(sigma_to_timestep(1, logs) - 1) < 1e-6);
    QVERIFY(std::abs(sigma_to_timestep(std::sqrt(1000.0), logs) - 2.5) < 1e-6);
    QCOMPARE(sigma_to_timestep(0, logs), 0.0);
    QCOMPARE(sigma_to_timestep(1e9, logs), 3.0);
  }

  // Reference: mpmath.betainc(0.6, 0.6, 0, x, regularized=True) solved for x with 30 digits.
  void beta_quantiles() {
    const std::vector<std::pair<double, double>> expected = {
        {0.001, 1.8558738517452003e-5}, {0.1, 0.039584405588780852}, {0.3, 0.2340170038752359},  {0.5, 0.5},
        {0.75, 0.82431962134730498},    {0.9, 0.96041559441121915},  {0.99, 0.99913876117845709}};
    for (const auto& [probability, x] : expected) {
      const double got = beta_quantile(probability);
      QVERIFY2(std::abs(got - x) <= 1e-12 * x, qPrintable(QString("%1: %2").arg(probability).arg(got, 0, 'g', 17)));
    }
    QCOMPARE(beta_quantile(0), 0.0);
    QCOMPARE(beta_quantile(1), 1.0);
  }

  void sigma_lists_run_from_max_to_min() {
    for (const auto& make : {karras_sigmas, exponential_sigmas, beta_sigmas}) {
      const std::vector<double> sigmas = make(0.03, 14.6, 9);
      QCOMPARE(sigmas.size(), std::size_t{9});
      QVERIFY(std::abs(sigmas.front() - 14.6) < 1e-9 && std::abs(sigmas.back() - 0.03) < 1e-9);
      for (std::size_t i = 1; i < sigmas.size(); ++i) QVERIFY(sigmas[i] < sigmas[i - 1]);
      QCOMPARE(make(0.03, 14.6, 1).size(), std::size_t{1});
    }
  }
};

QTEST_APPLESS_MAIN(TestSpacing)
#include "tst_spacing.moc"
