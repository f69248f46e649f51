// MOA's OzaBoost over Naive Bayes: java -cp 'MOA/*:MOA' MoaPeer TASK.csv [LIMIT]
//
// Ten learners, example by example: the votes first, then training. The examples are MOA's instances, in
// memory before the clock runs. The whole loop is run once for the compiler of the Java machine to warm
// up, then again, anew, with the clock: what is told is the speed that a long stream sees. The
// processor's time is that of this thread, without the compiler's and the collector's.

import com.yahoo.labs.samoa.instances.Attribute;
import com.yahoo.labs.samoa.instances.DenseInstance;
import com.yahoo.labs.samoa.instances.Instance;
import com.yahoo.labs.samoa.instances.Instances;
import com.yahoo.labs.samoa.instances.InstancesHeader;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import moa.classifiers.Classifier;
import moa.classifiers.meta.OzaBoost;

public final class MoaPeer {
  private static final int SIZE = 10;
  private static final double CLIP = 1e-15;

  private MoaPeer() {}

  private static InstancesHeader header(String[] names) {
    List<Attribute> attributes = new ArrayList<>();
    for (int i = 0; i + 1 < names.length; ++i) attributes.add(new Attribute(names[i]));
    attributes.add(new Attribute("label", List.of("0", "1")));
    InstancesHeader header = new InstancesHeader(new Instances("task", attributes, 0));
    header.setClassIndex(names.length - 1);
    return header;
  }

  private static Instance instance(String line, InstancesHeader header) {
    String[] fields = line.split(",");
    double[] values = new double[fields.length];
    for (int i = 0; i < fields.length; ++i) values[i] = Double.parseDouble(fields[i]);
    Instance instance = new DenseInstance(1.0, values);
    instance.setDataset(header);
    return instance;
  }

  private static OzaBoost learner(InstancesHeader header) {
    OzaBoost learner = new OzaBoost();
    learner.baseLearnerOption.setValueViaCLIString("bayes.NaiveBayes");
    learner.ensembleSizeOption.setValue(SIZE);
    learner.setModelContext(header);
    learner.prepareForUse();
    return learner;
  }

  // The share of the votes for the positive class; 0.5 without any.
  private static double probability(Classifier learner, Instance instance) {
    double[] votes = learner.getVotesForInstance(instance);
    double negative = votes.length > 0 ? votes[0] : 0;
    double positive = votes.length > 1 ? votes[1] : 0;
    double share = positive / (negative + positive);
    return Double.isNaN(share) ? 0.5 : share;
  }

  private static void predictAndLearn(Classifier learner, List<Instance> stream, double[] out) {
    for (int i = 0; i < out.length; ++i) {
      Instance instance = stream.get(i);
      out[i] = probability(learner, instance);
      learner.trainOnInstance(instance);
    }
  }

  private static void predict(Classifier learner, List<Instance> stream, double[] out) {
    for (int i = 0; i < out.length; ++i) out[i] = probability(learner, stream.get(i));
  }

  // VmRSS, or VmHWM, the peak, in KiB.
  private static long memory(String field) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith(field + ":")) return Long.parseLong(line.replaceAll("\\D", ""));
    }
    return 0;
  }

  private static double[] now() {
    long processor = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    return new double[] {System.nanoTime() * 1e-9, processor * 1e-9};
  }

  public static void main(String[] arguments) throws IOException {
    int limit = arguments.length > 1 ? Integer.parseInt(arguments[1]) : Integer.MAX_VALUE;
    List<Instance> stream = new ArrayList<>();
    InstancesHeader header;
    try (BufferedReader reader = Files.newBufferedReader(Path.of(arguments[0]))) {
      header = header(reader.readLine().split(","));
      String line;
      while (stream.size() < limit && (line = reader.readLine()) != null) {
        stream.add(instance(line, header));
      }
    }
    final long loaded = memory("VmRSS");
    double[] before = new double[stream.size()];
    double[] after = new double[stream.size()];
    OzaBoost warm = learner(header);
    predictAndLearn(warm, stream, before);
    predict(warm, stream, after);

    OzaBoost learner = learner(header);
    double[] start = now();
    predictAndLearn(learner, stream, before);
    double[] middle = now();
    predict(learner, stream, after);
    double[] end = now();

    double loss = 0;
    int right = 0;
    for (int i = 0; i < before.length; ++i) {
      boolean positive = stream.get(i).classValue() == 1;
      loss -= Math.log(Math.max(CLIP, positive ? before[i] : 1 - before[i]));
      if ((before[i] > 0.5) == positive) ++right;
    }
    System.out.printf(
        Locale.ROOT,
        "{\"examples\": %d, \"seconds_learn\": %.6f, \"seconds_predict\": %.6f, "
            + "\"cpu_learn\": %.6f, \"cpu_predict\": %.6f, \"loaded_kib\": %d, \"peak_kib\": %d, "
            + "\"log_loss\": %.17g, \"accuracy\": %.17g}%n",
        before.length, middle[0] - start[0], end[0] - middle[0], middle[1] - start[1], end[1] - middle[1],
        loaded, memory("VmHWM"), loss / before.length, (double) right / before.length);
  }
}
